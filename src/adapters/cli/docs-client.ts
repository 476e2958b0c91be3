import type { VersionId } from '../../domain/index.js';

/** The client that the commands use. The composition root provides it. */
export interface ClientTools {
  connect(settings: ClientSettings & { readonly report: (sentence: string) => void }): DocsClient;
  openArchive(path: string): Promise<Archive>;
  packSite(directory: string, options: { readonly onProgress: OnProgress }): Promise<Packed>;
  /** Guesses project and version from the files of a directory and its parents. */
  guess(directory: string): Promise<{ readonly project?: Guess; readonly version?: Guess }>;
}

export interface ClientSettings {
  readonly url: string;
  readonly token?: string;
}

export type OnProgress = (done: number, total: number) => void;

export interface Guess {
  readonly value: string;
  /** File name or command that the value comes from. */
  readonly source: string;
}

export interface Archive {
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
  sha256(): Promise<string>;
  close(): Promise<void>;
}

export interface Packed {
  readonly archive: Archive;
  readonly files: number;
  /** Sentences about entries that were left out. */
  readonly leftOut: readonly string[];
}

export interface ListedProject {
  readonly name: string;
  readonly directory_name: string;
  readonly description: string;
  readonly latest_version_dir: string;
  readonly versions: readonly { readonly version: string; readonly directory_name: string }[];
}

/** A client of one server. Refusals and connection failures are thrown as a `ClientFailure`. */
export interface DocsClient {
  readonly url: string;
  version(): Promise<{ readonly product: string; readonly version: string }>;
  projects(search?: string): Promise<{ readonly projects: readonly ListedProject[] }>;
  has(id: VersionId): Promise<boolean>;
  siteUrl(directoryName: string): string;
  push(
    id: VersionId,
    archive: Archive,
    onSent?: (bytes: number) => void,
  ): Promise<{ readonly message: string; readonly url: string }>;
  /** Runs all checks that the server makes before it reads content; publishes nothing. */
  rehearse(id: VersionId): Promise<void>;
  knowsToken(): Promise<boolean | undefined>;
  download(
    project: string,
    version: string,
    options: { readonly target?: string; readonly onReceived: (done: number, total?: number) => void },
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  delete(project: string, version: string): Promise<{ readonly message: string }>;
}

/** An error of the client, recognized by its name, since adapters do not import each other's classes. */
export interface ClientFailure extends Error {
  readonly name: 'ClientError';
  readonly problem: 'usage' | 'refused' | 'unreachable';
  /** From the closed list of contract section 6. */
  readonly code: string | undefined;
  readonly status: number | undefined;
}

export function isClientFailure(error: unknown): error is ClientFailure {
  return error instanceof Error && error.name === 'ClientError';
}
