import { DEFAULT_UPLOAD_LIMITS, type UploadLimits } from '../../application/index.js';
import { LOG_FORMATS, type LogOptions } from './logger.js';
import { type PublicPlace, readPublicPlace } from './public-place.js';
import { StartError } from './start-error.js';

/** The configuration of `lectern serve`. */
export interface ServeConfig extends LogOptions {
  readonly docs: string;
  readonly tokens: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly limits: UploadLimits;
  readonly maxUploads: number;
  readonly maxConnections: number;
  readonly trustProxy: boolean;
  readonly place: PublicPlace;
  readonly accelRedirect: string | undefined;
  readonly cacheBytes: number;
  readonly switcher: boolean;
  readonly metrics: boolean;
  /** Whether the pages that take a token, `/-/upload` and `/-/api`, are served. */
  readonly uploadPage: boolean;
  /** Milliseconds from the stop signal until new connections are refused. */
  readonly drainMs: number;
  /** Warnings about given options that no longer do anything. */
  readonly warnings: readonly string[];
}

interface Option {
  /** In cac's syntax. */
  readonly flag: string;
  readonly description: string;
  readonly default?: string | number;
}

/** The options of `serve`, by name. Each can also come from the environment as `LECTERN_<OPTION>`; a flag wins. */
export const SERVE_OPTIONS = {
  docs: { flag: '-d, --docs <directory>', description: 'Directory that holds the documentation' },
  tokens: {
    flag: '--tokens <file>',
    description: 'JSON file with the tokens; without it the server is read-only',
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
  'max-uploads': {
    flag: '--max-uploads <number>',
    description: 'Max. uploads at the same time; one token can have all of them but one',
    default: 4,
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
  'no-upload-page': {
    flag: '--no-upload-page',
    description:
      'Turn off /-/upload and /-/api, the pages that take a token; lectern push and curl still work',
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

/** Options without effect, by name: this release warns about them, the next one refuses them. */
export const RETIRED_OPTIONS = {
  'gzip-files': {
    flag: '--gzip-files',
    description: 'No longer needed; does nothing',
    warning:
      '--gzip-files is no longer needed and does nothing; remove it, or LECTERN_GZIP_FILES: the next release will not know it',
  },
} as const satisfies Record<string, Option & { readonly warning: string }>;

type OptionName = keyof typeof SERVE_OPTIONS;

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Returns an option's value from the flags, else from the environment. */
function givenValue(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv, name: string): unknown {
  const flag = flags[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  // An empty variable counts as unset, as in compose files and systemd units.
  return flag ?? (env[`LECTERN_${name.replaceAll('-', '_').toUpperCase()}`] || undefined);
}

/** Reads one option as text: from the flags, then the environment, then its default. */
function textOf(
  flags: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
  name: OptionName,
): string | undefined {
  const option: Option = SERVE_OPTIONS[name];
  const given = givenValue(flags, env, name);
  if (Array.isArray(given)) throw new StartError(`--${name}: give it once`);
  const value = given ?? option.default;
  if (value === '') throw new StartError(`--${name}: expected a value`);
  return value === undefined ? undefined : String(value);
}

/** @throws StartError when there is no docs directory, neither as a flag nor in the environment */
export function readDocs(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv): string {
  const docs = textOf(flags, env, 'docs');
  if (docs) return docs;
  throw new StartError('-d <docs> is required: the directory that holds the documentation');
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
  const text = (name: OptionName) => textOf(flags, env, name);
  const required = (name: OptionName) => text(name) ?? '';
  const whole = (name: OptionName, min: number, max: number): number => {
    const value = required(name);
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new StartError(`--${name}: expected a whole number from ${min} to ${max}, not '${value}'`);
  };
  const size = (name: OptionName, min = 1): number => {
    const value = required(name);
    const [, digits, unit] = /^(\d+)\s*([kmg]?)(?:i?b)?$/i.exec(value) ?? [];
    const bytes = Number(digits) * (UNITS[unit?.toLowerCase() ?? ''] ?? Number.NaN);
    if (Number.isSafeInteger(bytes) && bytes >= min) return bytes;
    throw new StartError(`--${name}: expected a size such as 1000000, 100MiB or 2GiB, not '${value}'`);
  };
  const flag = (name: OptionName): boolean => {
    const value = text(name) ?? 'false';
    if (['true', '1'].includes(value)) return true;
    if (['false', '0'].includes(value)) return false;
    throw new StartError(`--${name}: expected true or false, not '${value}'`);
  };
  const logLevel = required('log-level');
  if (!LEVELS.includes(logLevel)) throw new StartError(`--log-level: expected one of ${LEVELS.join(', ')}`);
  const logFormat = LOG_FORMATS.find((format) => format === required('log-format'));
  if (logFormat === undefined)
    throw new StartError(`--log-format: expected one of ${LOG_FORMATS.join(', ')}`);
  const accelRedirect = text('accel-redirect');
  if (accelRedirect !== undefined && !/^\/(?:[\w.~-]+\/)+$/.test(accelRedirect)) {
    throw new StartError(
      `--accel-redirect: expected a path such as /-/files/, with a / at both ends, not '${accelRedirect}'`,
    );
  }
  return {
    docs: readDocs(flags, env),
    tokens: text('tokens'),
    host: required('host'),
    port: whole('port', 0, 65_535),
    limits: {
      maxUploadBytes: size('max-upload-size'),
      maxExtractedBytes: size('max-extracted-size'),
      maxFiles: whole('max-files', 1, Number.MAX_SAFE_INTEGER),
      maxRatio: whole('max-ratio', 1, Number.MAX_SAFE_INTEGER),
      minFreeBytes: size('min-free-space', 0),
    },
    maxUploads: whole('max-uploads', 1, 10_000),
    maxConnections: whole('max-connections', 1, 1_000_000),
    trustProxy: flag('trust-proxy'),
    place: readPublicPlace(text('base-path'), text('public-url')),
    cacheBytes: size('cache-size', 0),
    switcher: flag('switcher'),
    metrics: flag('metrics'),
    // cac passes `--no-upload-page` as `uploadPage: false`.
    uploadPage: flags.uploadPage !== false && !flag('no-upload-page'),
    drainMs: whole('drain-delay', 0, 3_600) * 1_000,
    warnings: Object.entries(RETIRED_OPTIONS)
      .filter(([name]) => givenValue(flags, env, name) !== undefined)
      .map(([, { warning }]) => warning),
    logLevel,
    logFormat,
    logFile: text('log-file'),
    accelRedirect,
  };
}
