// Not from the index: each command of the client would load all use cases, for 0.1 s of processor time.
import { DEFAULT_UPLOAD_LIMITS } from '../../../application/versions/upload-limits.js';
import { optionTable } from './option-reader.js';

/** The options of an object store, by name. */
export const STORE_OPTIONS = optionTable({
  store: [
    '<address>',
    'Object store that holds the documentation, such as s3://bucket/prefix; instead of a directory',
  ],
  'store-endpoint': ['<url>', 'Address of an object store other than AWS, such as https://s3.example.org'],
  'store-region': ['<name>', 'Region of the object store; default: from the AWS profile or environment'],
  'store-poll': ['<seconds>', 'Seconds between checks for changes by other servers on the object store', 1],
  'single-writer': [
    '',
    'Use an object store without conditional writes; only one server may then accept uploads',
  ],
  'cache-dir': [
    '<directory>',
    'Directory for archives cached from the object store; default: under the temporary directory',
  ],
  'cache-dir-size': ['<size>', 'Max. size of the archives in --cache-dir', '10GiB'],
  'presigned-downloads': ['', 'Redirect archive downloads to presigned URLs of the object store'],
});

/** The options of `serve`, by name. Each can also come from the environment as `LECTERN_<OPTION>`; a flag wins. */
export const SERVE_OPTIONS = {
  docs: { flag: '-d, --docs <directory>', description: 'Directory that holds the documentation' },
  ...STORE_OPTIONS,
  ...optionTable({
    tokens: ['<file>', 'JSON file with the tokens; without it the server is read-only'],
    'first-token': [
      '<file>',
      'Tokens file to use without --tokens; if the docs directory is empty, the server creates it at the first start, with one token',
    ],
    'reload-tokens': [
      '',
      'Reload a changed tokens file within two seconds, and on SIGHUP; without it, only a restart does',
    ],
    site: [
      '<file>',
      'JSON file with the branding of the server: title, logo, accent colour, introduction, links, notice',
    ],
    host: ['<address>', 'Address to listen on', '127.0.0.1'],
    port: ['<number>', 'Port to listen on; 0 picks a free one', 8080],
    'max-upload-size': [
      '<size>',
      'Max. size of an archive, in bytes or with a unit, such as 100MiB',
      '512MiB',
    ],
    'max-extracted-size': ['<size>', 'Max. size of all files of an archive together, unpacked', '2GiB'],
    'max-files': ['<number>', 'Max. number of files in an archive', DEFAULT_UPLOAD_LIMITS.maxFiles],
    'max-ratio': [
      '<number>',
      'Max. compression ratio: unpacked size divided by archive size; checked from 64 MiB on',
      DEFAULT_UPLOAD_LIMITS.maxRatio,
    ],
    'preview-days': [
      '<days>',
      'Days until a preview is removed, unless its upload sets a time; 0 keeps such previews',
      30,
    ],
    'max-uploads': ['<number>', 'Max. concurrent uploads; one token can use all but one', 4],
    'max-waiting-uploads': ['<number>', 'Max. queued uploads; 0 refuses them at once', 200],
    'upload-wait': [
      '<seconds>',
      'Max. time that an upload waits in the queue; keep it below the timeouts of a reverse proxy',
      45,
    ],
    'max-connections': ['<number>', 'Max. open connections; one client address can have half of them', 4096],
    'cache-size': ['<size>', 'Max. memory for cached responses; 0 turns the cache off', '64MiB'],
    'min-free-space': ['<size>', 'Free disk space that uploads must leave; 0 turns this limit off', '256MiB'],
    'keep-removed': [
      '<days>',
      'Days during which deleted and replaced versions can be restored; 0 keeps nothing',
      7,
    ],
    'trust-proxy': [
      '',
      'Trust X-Forwarded-For, -Host and -Proto; only behind a reverse proxy that sets them',
    ],
    'base-path': [
      '<path>',
      'Path prefix of the public address, such as /docs; the proxy may keep or remove it',
    ],
    'public-url': [
      '<url>',
      'Public address of the server; overrides the Host header, and its path becomes the base path',
    ],
    'project-hosts': [
      '<pattern>',
      'Give each project and version a host name of its own, such as *.docs.example.org; needs --public-url',
    ],
    'project-hosts-redirect': ['', 'Redirect the path addresses of sites to their hosts'],
    'accel-redirect': [
      '<path>',
      'Internal location of the docs directory in nginx, such as /-/files/; nginx then sends large files',
    ],
    switcher: [
      '',
      'Add the version switcher to the pages of every project, except where docinfo says `switcher: false`',
    ],
    'no-indexing': [
      '',
      'Keep search engines away: X-Robots-Tag: noindex on every response, and Disallow: / in robots.txt',
    ],
    search: [
      '<versions>',
      'Versions to index for search: latest (the latest and the newest of each project), all, or off. Others are indexed when they are first searched',
      'latest',
    ],
    'no-upload-page': [
      '',
      'Turn off /-/upload and /-/manage/, the pages that ask for a token; the client and curl still work',
    ],
    'no-link-check': ['', 'Do not check links inside sites, at upload or later'],
    metrics: ['', 'Serve metrics for Prometheus at /-/metrics'],
    'drain-delay': ['<seconds>', 'Seconds to keep serving after SIGTERM, while /-/ready answers 503', 0],
    'log-level': ['<level>', 'Log level: fatal, error, warn, info, debug, trace or silent', 'info'],
    'log-format': ['<format>', "Log format: json, or combined for request lines in Apache's format", 'json'],
    'log-file': ['<file>', 'File for the log, reopened on SIGHUP; without it the log goes to stderr'],
    'audit-log': [
      '<file>',
      'File for the audit log of all changes and refused changes, reopened on SIGHUP; without it, none is kept',
    ],
  }),
};

/** Options whose default is right until a refusal, a metric or a measurement says otherwise: documents and help list them apart. */
export const RARELY_NEEDED: readonly (keyof typeof SERVE_OPTIONS)[] = [
  'store-poll',
  'max-extracted-size',
  'max-files',
  'max-ratio',
  'max-uploads',
  'max-waiting-uploads',
  'upload-wait',
  'max-connections',
  'cache-size',
  'min-free-space',
];
