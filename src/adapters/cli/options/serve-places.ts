import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lifetimeOfDays } from '../../../domain/index.js';
import { StartError } from '../start-error.js';
import { OptionReader } from './option-reader.js';
import { SERVE_OPTIONS, STORE_OPTIONS } from './serve-option-table.js';

/** The first file descriptor passed by systemd (sd_listen_fds(3)). */
const FIRST_SOCKET = 3;

/** Where sites can be, by scheme: the docs directory, or how an object store is reached. */
export interface Locations {
  readonly file: string;
  readonly s3: {
    /** `s3://bucket/prefix`, not checked yet. */
    readonly address: string;
    readonly endpoint: string | undefined;
    readonly region: string | undefined;
    /** Whether nothing else writes to a store that cannot create objects exclusively. */
    readonly isOnlyWriter: boolean;
  };
}

/** Likewise, with how a server uses it. */
export interface ServedLocations extends Locations {
  readonly s3: Locations['s3'] & {
    readonly pollMs: number;
    readonly cacheDirectory: string;
    readonly cacheBytes: number;
    readonly directDownloads: boolean;
  };
}

export type Scheme = keyof Locations;

/** A place of sites. */
export type Place<At extends Locations, Of extends Scheme = Scheme> = {
  readonly [Each in Of]: { readonly scheme: Each; readonly at: At[Each] };
}[Of];

export type Storage = Place<ServedLocations>;

/** Reads options of `lectern serve`, for it and for commands that take some of them. */
export class ServeReader extends OptionReader<keyof typeof SERVE_OPTIONS> {
  constructor(flags: Readonly<Record<string, unknown>>, env: NodeJS.ProcessEnv) {
    super(SERVE_OPTIONS, flags, env);
  }
}

/** @throws StartError when there is no docs directory, neither as a flag nor in the environment */
export function readDocs(read: ServeReader): string {
  const docs = read.text('docs');
  if (docs) return docs;
  throw new StartError('-d <docs> is required: the directory that holds the documentation');
}

/** Reads exactly one of `-d` and `--store`; a flag wins over the environment. @throws StartError */
export function readStorage(read: ServeReader): Storage {
  const [docs, store] = [read.given('docs'), read.given('store')];
  if (docs !== undefined && docs === store) throw new StartError('give either -d or --store, not both');
  if (store !== undefined && docs !== 'flag') {
    if (read.given('accel-redirect') === 'flag') {
      throw new StartError('--accel-redirect works only with -d: web servers cannot read an object store');
    }
    return { scheme: 's3', at: readStoreOptions(read) };
  }
  for (const name of Object.keys(STORE_OPTIONS)) {
    if (name !== 'store' && read.given(name) === 'flag')
      throw new StartError(`--${name} works only with --store`);
  }
  const directory = read.text('docs');
  if (directory) return { scheme: 'file', at: directory };
  throw new StartError(
    '-d <docs> is required: the directory that holds the documentation; or --store, an object store',
  );
}

/** Reads the file of the first token, with the docs directory that decides whether it is made. @throws StartError */
export function readFirstToken(
  read: ServeReader,
  { scheme, at }: Storage,
): { readonly file: string; readonly docs: string } | undefined {
  const file = read.text('first-token');
  if (file === undefined) return undefined;
  if (scheme === 'file') return { file, docs: at };
  if (read.given('first-token') === 'flag') throw new StartError('--first-token works only with -d');
  return undefined;
}

/** Reads the address of a store other than AWS. @throws StartError */
export function readEndpoint<Name extends string>(read: OptionReader<Name>, name: Name): string | undefined {
  const endpoint = read.text(name);
  if (endpoint === undefined || /^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) return endpoint;
  // Not quoted: somebody may have written credentials into it.
  throw new StartError(
    `--${name}: expected an address such as https://s3.example.org, without a path or credentials`,
  );
}

/** Reads the time for which what is removed can be restored, in milliseconds. @throws StartError */
export function readKeepRemoved(read: ServeReader): number {
  return lifetimeOfDays(read.whole('keep-removed', 0, 3_650));
}

/** @throws StartError for an invalid value */
function readStoreOptions(read: ServeReader): ServedLocations['s3'] {
  return {
    address: read.required('store'),
    endpoint: readEndpoint(read, 'store-endpoint'),
    region: read.text('store-region'),
    pollMs: read.whole('store-poll', 1, 3_600) * 1_000,
    isOnlyWriter: read.flag('single-writer'),
    cacheDirectory: read.text('cache-dir') ?? join(tmpdir(), 'lectern-cache'),
    cacheBytes: read.size('cache-dir-size'),
    directDownloads: read.flag('presigned-downloads'),
  };
}

/**
 * Finds the listening socket of systemd socket activation.
 * @returns its file descriptor, or undefined without socket activation
 * @throws StartError when there is more than one
 */
export function inheritedSocket(env: NodeJS.ProcessEnv, pid: number): number | undefined {
  // The variables may be inherited from a parent process.
  if (env.LISTEN_PID !== String(pid) || env.LISTEN_FDS === undefined) return undefined;
  if (env.LISTEN_FDS !== '1') throw new StartError(`LISTEN_FDS: expected 1 socket, not ${env.LISTEN_FDS}`);
  return FIRST_SOCKET;
}
