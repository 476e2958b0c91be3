import { DEFAULT_UPLOAD_LIMITS, type UploadLimits } from '../../../application/index.js';
import { lifetimeOfDays, MAX_LIFETIME_DAYS, type SearchScope } from '../../../domain/index.js';
import { LOG_FORMATS, type LogOptions } from '../logger.js';
import { StartError } from '../start-error.js';
import { type Option, OptionReader } from './option-reader.js';
import { type PublicPlace, readPublicPlace, withProjectHosts } from './public-place.js';
import {
  type ObjectStoreConfig,
  readStoreOptions,
  refuseStoreOptions,
  STORE_OPTIONS,
} from './store-options.js';

/** The configuration of `lectern serve`. */
export interface ServeConfig extends LogOptions {
  readonly storage: Storage;
  readonly tokens: string | undefined;
  /** Site file: whose server it is. */
  readonly site: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly limits: UploadLimits;
  /** Lifetime of a preview whose upload names none, in milliseconds; 0 keeps such previews. */
  readonly previewMs: number;
  /** File with rules of retention, for projects without rules of their own. */
  readonly retention: string | undefined;
  /** Milliseconds for which deleted and replaced versions can be restored. */
  readonly keepRemovedMs: number;
  readonly maxUploads: number;
  /** Max. uploads that wait for a place; 0 refuses them at once. */
  readonly maxWaitingUploads: number;
  /** Max. time that an upload waits for a place, in milliseconds. */
  readonly uploadWaitMs: number;
  readonly maxConnections: number;
  readonly trustProxy: boolean;
  readonly place: PublicPlace;
  readonly accelRedirect: string | undefined;
  readonly cacheBytes: number;
  readonly switcher: boolean;
  /** Whether search engines may show what is served. */
  readonly indexing: boolean;
  /** Which versions are searchable: `latest` means the latest and the newest of each project. */
  readonly search: 'off' | SearchScope;
  /** Where the counts of reads are kept; undefined counts nothing. */
  readonly usage: UsagePlace | undefined;
  readonly metrics: boolean;
  /** Whether `/-/upload` is served where the server has tokens. */
  readonly uploadPage: boolean;
  /** Milliseconds from the stop signal until new connections are refused. */
  readonly drainMs: number;
}

/** The place of the sites: a docs directory, or an object store. */
export type Storage = { readonly docs: string } | { readonly store: ObjectStoreConfig };

/** The options of `serve`, by name. Each can also come from the environment as `LECTERN_<OPTION>`; a flag wins. */
export const SERVE_OPTIONS = {
  docs: { flag: '-d, --docs <directory>', description: 'Directory that holds the documentation' },
  ...STORE_OPTIONS,
  tokens: {
    flag: '--tokens <file>',
    description: 'JSON file with the tokens; without it the server is read-only',
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
    description: 'Turn off /-/upload, the page that takes a token; lectern push and curl still work',
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

const SEARCHES = ['latest', 'all', 'off'] as const;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** @throws StartError when there is no docs directory, neither as a flag nor in the environment */
export function readDocs(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): string {
  const docs = new OptionReader(SERVE_OPTIONS, flags, env).text('docs');
  if (docs) return docs;
  throw new StartError('-d <docs> is required: the directory that holds the documentation');
}

/** Reads exactly one of `-d` and `--store`; a flag wins over the environment. @throws StartError */
export function readStorage(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): Storage {
  const read = new OptionReader(SERVE_OPTIONS, flags, env);
  const [docs, store] = [read.given('docs'), read.given('store')];
  if (docs !== undefined && docs === store) throw new StartError('give either -d or --store, not both');
  if (store !== undefined && docs !== 'flag') {
    if (read.given('accel-redirect') === 'flag') {
      throw new StartError('--accel-redirect works only with -d: web servers cannot read an object store');
    }
    return { store: readStoreOptions(read) };
  }
  refuseStoreOptions(read);
  const directory = read.text('docs');
  if (directory) return { docs: directory };
  throw new StartError(
    '-d <docs> is required: the directory that holds the documentation; or --store, an object store',
  );
}

/** Reads the file of rules of retention. */
export function readRetention(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): string | undefined {
  return new OptionReader(SERVE_OPTIONS, flags, env).text('retention');
}

/** Reads the time for which what is removed can be restored, in milliseconds. @throws StartError */
export function readKeepRemoved(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): number {
  return lifetimeOfDays(new OptionReader(SERVE_OPTIONS, flags, env).whole('keep-removed', 0, 3_650));
}

/** Returns whether an option is given, by flag or environment. */
export function isGiven(
  option: keyof typeof SERVE_OPTIONS,
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): boolean {
  return new OptionReader(SERVE_OPTIONS, flags, env).given(option) !== undefined;
}

/** A directory for counts of reads, or the docs directory whose own one it is. */
export type UsagePlace = { readonly directory: string } | { readonly docs: string };

/** Reads where counts of reads are kept. @throws StartError for an object store without `--usage-dir` */
function readUsagePlace(directory: string | undefined, storage: Storage): UsagePlace {
  if (directory !== undefined) return { directory };
  if ('docs' in storage) return storage;
  throw new StartError(
    '--usage needs --usage-dir with --store: a directory of this machine for the counts of reads',
  );
}

/**
 * Reads the options from the flags, then the environment, then the defaults.
 * @param flags by camel-case name, as cac passes them
 * @throws StartError with the option and the expected value
 */
export function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): ServeConfig {
  const read = new OptionReader(SERVE_OPTIONS, flags, env);
  const logLevel = read.required('log-level');
  if (!LEVELS.includes(logLevel)) throw new StartError(`--log-level: expected one of ${LEVELS.join(', ')}`);
  const logFormat = LOG_FORMATS.find((format) => format === read.required('log-format'));
  if (logFormat === undefined)
    throw new StartError(`--log-format: expected one of ${LOG_FORMATS.join(', ')}`);
  const search = SEARCHES.find((each) => each === read.required('search'));
  if (search === undefined) throw new StartError(`--search: expected one of ${SEARCHES.join(', ')}`);
  const accelRedirect = read.text('accel-redirect');
  if (accelRedirect !== undefined && !/^\/(?:[\w.~-]+\/)+$/.test(accelRedirect)) {
    throw new StartError(
      `--accel-redirect: expected a path such as /-/files/, with a / at both ends, not '${accelRedirect}'`,
    );
  }
  const storage = readStorage(flags, env);
  return {
    storage,
    tokens: read.text('tokens'),
    site: read.text('site'),
    host: read.required('host'),
    port: read.whole('port', 0, 65_535),
    limits: {
      maxUploadBytes: read.size('max-upload-size'),
      maxExtractedBytes: read.size('max-extracted-size'),
      maxFiles: read.whole('max-files', 1, Number.MAX_SAFE_INTEGER),
      maxRatio: read.whole('max-ratio', 1, Number.MAX_SAFE_INTEGER),
      minFreeBytes: read.size('min-free-space', 0),
    },
    previewMs: lifetimeOfDays(read.whole('preview-days', 0, MAX_LIFETIME_DAYS)),
    retention: readRetention(flags, env),
    keepRemovedMs: readKeepRemoved(flags, env),
    maxUploads: read.whole('max-uploads', 1, 10_000),
    maxWaitingUploads: read.whole('max-waiting-uploads', 0, 10_000),
    uploadWaitMs: read.whole('upload-wait', 1, 3_600) * 1_000,
    maxConnections: read.whole('max-connections', 1, 1_000_000),
    trustProxy: read.flag('trust-proxy'),
    place: withProjectHosts(
      readPublicPlace(read.text('base-path'), read.text('public-url')),
      read.text('project-hosts'),
      read.flag('project-hosts-redirect'),
    ),
    cacheBytes: read.size('cache-size', 0),
    switcher: read.flag('switcher'),
    // cac passes `--no-indexing` as `indexing: false`.
    indexing: flags.indexing !== false && !read.flag('no-indexing'),
    search,
    usage: read.flag('usage') ? readUsagePlace(read.text('usage-dir'), storage) : undefined,
    metrics: read.flag('metrics'),
    // cac passes `--no-upload-page` as `uploadPage: false`.
    uploadPage: flags.uploadPage !== false && !read.flag('no-upload-page'),
    drainMs: read.whole('drain-delay', 0, 3_600) * 1_000,
    logLevel,
    logFormat,
    logFile: read.text('log-file'),
    accelRedirect,
  };
}
