// Not from the index: its types name Koa, whose own types are not installed with the package.
import type { Logger } from '../../adapters/http/server/request-log.js';
import type { TokenEntry } from '../../adapters/json/index.js';
import type { AuditLog, DocStore, TokenRegistry, UseCases } from '../../application/index.js';
import type { Reader, VisibleCatalogue } from '../../domain/index.js';

/**
 * Where the sites are, and the options of `lectern serve` that a program needs, by the same names: `--max-upload-size` is
 * `maxUploadSize`. Exactly one of `docs`, `store` and `memory` says the place.
 */
export interface LecternOptions {
  /** Docs directory. It is created if only its last part is missing. */
  readonly docs?: string;
  /** Address of an object store, such as `s3://bucket/prefix`; or a store of the program's own, which `close` closes. */
  readonly store?: string | DocStore;
  /** Keeps everything in memory. */
  readonly memory?: boolean;
  /** Address of an object store other than AWS. */
  readonly storeEndpoint?: string;
  readonly storeRegion?: string;
  /** Uses an object store that cannot create objects exclusively, which only one process may write then. */
  readonly singleWriter?: boolean;
  /** Directory for archives cached from an object store. @default one in the temporary directory */
  readonly cacheDir?: string;
  /**
   * Path of a tokens file; entries as in a tokens file, by the names of the tokens; or a registry of the program's own.
   * Without it, nothing can be changed over HTTP. Use cases need no token: they get an `Actor`.
   */
  readonly tokens?: string | Tokens | TokenRegistry;
  /** Whether a changed tokens file counts without opening again. @default false */
  readonly reloadTokens?: boolean;
  /** Path of a file that says who may read which project. */
  readonly access?: string;
  /** Shows everything to everybody, although there were such rules before. */
  readonly endAccess?: boolean;
  /** Path of a site file: title, logo, links. */
  readonly site?: string;
  /** Public address of the server, perhaps with a path prefix. */
  readonly publicUrl?: string;
  /** Whether `X-Forwarded-For`, `-Host` and `-Proto` are believed: only behind a reverse proxy that sets them. */
  readonly trustProxy?: boolean;
  /** Versions whose pages can be searched. @default 'latest' */
  readonly search?: 'latest' | 'all' | 'off';
  /** Max. size of an upload, in bytes, or with a unit: `100MiB`. */
  readonly maxUploadSize?: number | string;
  /** Max. memory for cached responses, likewise. */
  readonly cacheSize?: number | string;
  /** Days until a preview is removed whose upload names no time; 0 keeps such previews. @default 30 */
  readonly previewDays?: number;
  /** Days for which deleted and replaced versions can be restored. @default 7 */
  readonly keepRemoved?: number;
  /** Path of a file with rules of retention. */
  readonly retention?: string;
  /** Path of a file for the record of all changes, or a record of the program's own. @default none */
  readonly auditLog?: string | AuditLog;
  /** Receives what a server writes to its log, as pino does. @default warnings and errors go to stderr */
  readonly logger?: Logger;
}

/** Entries of a tokens file, by the names of the tokens. */
export type Tokens = Readonly<Record<string, TokenEntry>>;

/** An open store of docs: all use cases, and an optional server. */
export interface Lectern extends UseCases {
  /** Returns what a reader sees now. @default somebody who may read every project */
  seenBy(reader?: Reader, now?: Date): VisibleCatalogue;
  /**
   * Serves the docs over HTTP, as `lectern serve` does, and from then on removes what has expired, and builds search
   * indexes ahead.
   * @param port 0 takes a free one. @default 8080
   * @param host address to listen on. @default '127.0.0.1'
   * @returns the address to open in a browser, without a `/` at its end
   * @throws OpenError when the port is taken, or when it listens already
   */
  listen(port?: number, host?: string): Promise<string>;
  /**
   * Completes the responses that have begun, closes the store, and ends all background work. Safe to call twice.
   * @param maxMs time for running requests
   */
  close(maxMs?: number): Promise<void>;
}

/** An option is wrong, or the thing that it names cannot be used. The message is a sentence for the operator. */
export class OpenError extends Error {
  override readonly name = 'OpenError';
}
