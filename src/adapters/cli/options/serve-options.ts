import type { UploadLimits } from '../../../application/index.js';
import { lifetimeOfDays, MAX_LIFETIME_DAYS, type SearchScope } from '../../../domain/index.js';
import { LOG_FORMATS, type LogOptions } from '../logger.js';
import { StartError } from '../start-error.js';
import type { Option, OptionReader } from './option-reader.js';
import { type PublicPlace, readPublicPlace, withProjectHosts } from './public-place.js';
import { readFirstToken, readKeepRemoved, readStorage, ServeReader, type Storage } from './serve-places.js';

/** Options that an optional feature adds to `lectern serve`. */
export interface FeatureOptions<Name extends string, Config = object> {
  readonly table: Readonly<Record<Name, Option>>;
  /** @throws StartError with the option and the expected value */
  read(read: OptionReader<Name>, core: ServeConfig): Config;
}

/** The configuration of `lectern serve`, but for optional features. */
export interface ServeConfig extends LogOptions {
  readonly storage: Storage;
  readonly tokens: string | undefined;
  /** In place of `tokens`: a file that the first start makes if the docs directory is empty. */
  readonly firstToken: ReturnType<typeof readFirstToken>;
  /** Whether a changed tokens file counts without a restart. */
  readonly reloadTokens: boolean;
  /** Path of the site file, with the identity of the server. */
  readonly site: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly limits: UploadLimits;
  /** Lifetime of a preview whose upload names none, in milliseconds; 0 keeps such previews. */
  readonly previewMs: number;
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
  /** Searchable versions: `latest` means the latest and the newest of each project. */
  readonly search: 'off' | SearchScope;
  readonly metrics: boolean;
  /** Whether links inside of sites are checked. */
  readonly linkCheck: boolean;
  /** Whether `/-/upload` is served where the server has tokens. */
  readonly uploadPage: boolean;
  /** Path of the record of changes; undefined for none. */
  readonly auditLog: string | undefined;
  /** Milliseconds from the stop signal until new connections are refused. */
  readonly drainMs: number;
}

const SEARCHES = ['latest', 'all', 'off'] as const;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/**
 * Reads the options from the flags, then the environment, then the defaults.
 * @param flags by camel-case name, as cac passes them
 * @throws StartError with the option and the expected value
 */
export function readServeOptions(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): ServeConfig {
  const read = new ServeReader(flags, env);
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
  const storage = readStorage(read);
  const tokens = read.text('tokens');
  const reloadTokens = read.flag('reload-tokens');
  const firstToken = readFirstToken(read, storage);
  if (reloadTokens && (tokens ?? firstToken) === undefined)
    throw new StartError('--reload-tokens needs --tokens');
  const place = withProjectHosts(
    readPublicPlace(read.text('base-path'), read.text('public-url')),
    read.text('project-hosts'),
    read.flag('project-hosts-redirect'),
  );
  return {
    storage,
    tokens,
    firstToken,
    reloadTokens,
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
    keepRemovedMs: readKeepRemoved(read),
    maxUploads: read.whole('max-uploads', 1, 10_000),
    maxWaitingUploads: read.whole('max-waiting-uploads', 0, 10_000),
    uploadWaitMs: read.whole('upload-wait', 1, 3_600) * 1_000,
    maxConnections: read.whole('max-connections', 1, 1_000_000),
    trustProxy: read.flag('trust-proxy'),
    place,
    cacheBytes: read.size('cache-size', 0),
    switcher: read.flag('switcher'),
    indexing: !read.flag('no-indexing'),
    search,
    metrics: read.flag('metrics'),
    linkCheck: !read.flag('no-link-check'),
    uploadPage: !read.flag('no-upload-page'),
    drainMs: read.whole('drain-delay', 0, 3_600) * 1_000,
    logLevel,
    logFormat,
    logFile: read.text('log-file'),
    auditLog: read.text('audit-log'),
    accelRedirect,
  };
}
