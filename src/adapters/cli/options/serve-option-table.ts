import { DEFAULT_UPLOAD_LIMITS } from '../../../application/index.js';
import type { Option } from './option-reader.js';
import { STORE_OPTIONS } from './store-options.js';

/** The options of `serve`, by name. Each can also come from the environment as `LECTERN_<OPTION>`; a flag wins. */
export const SERVE_OPTIONS = {
  docs: { flag: '-d, --docs <directory>', description: 'Directory that holds the documentation' },
  ...STORE_OPTIONS,
  tokens: {
    flag: '--tokens <file>',
    description: 'JSON file with the tokens; without it the server is read-only',
  },
  'reload-tokens': {
    flag: '--reload-tokens',
    description:
      'Take in a changed tokens file within two seconds, and on SIGHUP; without it, at the next start',
  },
  access: {
    flag: '--access <file>',
    description: 'JSON file that says who may read which project; without it everybody may read all',
  },
  'end-access': {
    flag: '--end-access',
    description: 'Show everything to everybody, although --access was used here before',
  },
  'auth-user-header': {
    flag: '--auth-user-header <name>',
    description:
      'Header in which a reverse proxy says who has signed in, for rules of --access; needs --trusted-proxies',
  },
  'auth-groups-header': {
    flag: '--auth-groups-header <name>',
    description: 'Header in which it says their groups, with commas between them',
  },
  'trusted-proxies': {
    flag: '--trusted-proxies <addresses>',
    description:
      'Where that proxy connects from: addresses, networks such as 10.0.0.0/8, unix; with commas between them',
  },
  'sign-in-url': {
    flag: '--sign-in-url <url>',
    description: 'Address for "Sign in" on 404 pages; {url} in it stands for the address to come back to',
  },
  'allow-shared-origin': {
    flag: '--allow-shared-origin',
    description:
      'Let people in without --project-hosts-redirect: scripts of any site can then read all that its reader may',
  },
  site: {
    flag: '--site <file>',
    description:
      'JSON file that says whose server it is: title, logo, accent colour, introduction, links, notice',
  },
  host: { flag: '--host <address>', description: 'Address to listen on', default: '127.0.0.1' },
  port: { flag: '--port <number>', description: 'Port to listen on; 0 picks a free one', default: 8080 },
  'max-upload-size': {
    flag: '--max-upload-size <size>',
    description: 'Max. size of an archive, in bytes or with a unit, such as 100MiB',
    default: '512MiB',
  },
  'max-extracted-size': {
    flag: '--max-extracted-size <size>',
    description: 'Max. size of all files of an archive together, unpacked',
    default: '2GiB',
  },
  'max-files': {
    flag: '--max-files <number>',
    description: 'Max. number of files in an archive',
    default: DEFAULT_UPLOAD_LIMITS.maxFiles,
  },
  'max-ratio': {
    flag: '--max-ratio <number>',
    description: 'Max. compression ratio: unpacked size divided by archive size; checked from 64 MiB on',
    default: DEFAULT_UPLOAD_LIMITS.maxRatio,
  },
  'preview-days': {
    flag: '--preview-days <days>',
    description: 'Days until a preview is removed whose upload names no time; 0 keeps such previews',
    default: 30,
  },
  'max-uploads': {
    flag: '--max-uploads <number>',
    description: 'Max. uploads at the same time; one token can have all of them but one',
    default: 4,
  },
  'max-waiting-uploads': {
    flag: '--max-waiting-uploads <number>',
    description: 'Max. uploads that wait until one of these has ended; 0 refuses them at once',
    default: 200,
  },
  'upload-wait': {
    flag: '--upload-wait <seconds>',
    description: 'Max. time that an upload waits; less than the timeouts of a reverse proxy',
    default: 45,
  },
  'max-connections': {
    flag: '--max-connections <number>',
    description: 'Max. open connections; one client address can have half of them',
    default: 4096,
  },
  'cache-size': {
    flag: '--cache-size <size>',
    description: 'Max. memory for cached responses; 0 turns the cache off',
    default: '64MiB',
  },
  'min-free-space': {
    flag: '--min-free-space <size>',
    description: 'Free disk space that uploads must leave; 0 turns this limit off',
    default: '256MiB',
  },
  retention: {
    flag: '--retention <file>',
    description:
      'JSON file with rules by which versions are removed, for projects without rules of their own; without it all are kept',
  },
  'keep-removed': {
    flag: '--keep-removed <days>',
    description: 'Days for which deleted and replaced versions can be restored; 0 keeps nothing',
    default: 7,
  },
  'trust-proxy': {
    flag: '--trust-proxy',
    description: 'Trust X-Forwarded-For, -Host and -Proto; only behind a reverse proxy that sets them',
  },
  'base-path': {
    flag: '--base-path <path>',
    description: 'Path prefix of the public address, such as /docs; the proxy may keep or remove it',
  },
  'public-url': {
    flag: '--public-url <url>',
    description:
      'Public address of the server; overrides the Host header, and its path becomes the base path',
  },
  'project-hosts': {
    flag: '--project-hosts <pattern>',
    description:
      'Give each project and version a host name of its own, such as *.docs.example.org; needs --public-url',
  },
  'project-hosts-redirect': {
    flag: '--project-hosts-redirect',
    description: 'Redirect the path addresses of sites to their hosts',
  },
  'accel-redirect': {
    flag: '--accel-redirect <path>',
    description:
      'Internal location of the docs directory in nginx, such as /-/files/; nginx then sends large files',
  },
  switcher: {
    flag: '--switcher',
    description:
      "Add the version switcher to the pages of every project whose docinfo doesn't say `switcher: false`",
  },
  'no-indexing': {
    flag: '--no-indexing',
    description:
      'Keep search engines away: X-Robots-Tag: noindex on every response, and Disallow: / in robots.txt',
  },
  search: {
    flag: '--search <versions>',
    description:
      'Versions whose pages can be searched: latest (the latest and the newest of each project), all, or off. Others are read when somebody searches in them',
    default: 'latest',
  },
  usage: {
    flag: '--usage',
    description:
      'Count, for each project and day, which pages are read and which are missed, without addresses of readers; everybody can see the counts',
  },
  'usage-dir': {
    flag: '--usage-dir <directory>',
    description: 'Directory for the counts of --usage; else one in the docs directory. Needed with --store',
  },
  'no-upload-page': {
    flag: '--no-upload-page',
    description:
      'Turn off /-/upload and /-/manage/, the pages that take a token; the client and curl still work',
  },
  'no-mcp': {
    flag: '--no-mcp',
    description: 'Turn off /-/mcp, where coding agents ask by the Model Context Protocol',
  },
  metrics: { flag: '--metrics', description: 'Serve metrics for Prometheus at /-/metrics' },
  'drain-delay': {
    flag: '--drain-delay <seconds>',
    description: 'Seconds to keep serving after SIGTERM, while /-/ready answers 503',
    default: 0,
  },
  'log-level': {
    flag: '--log-level <level>',
    description: 'Log level: fatal, error, warn, info, debug, trace or silent',
    default: 'info',
  },
  'log-format': {
    flag: '--log-format <format>',
    description: "Log format: json, or combined for request lines in Apache's format",
    default: 'json',
  },
  'log-file': {
    flag: '--log-file <file>',
    description: 'File for the log, reopened on SIGHUP; without it the log goes to stderr',
  },
} as const satisfies Record<string, Option>;
