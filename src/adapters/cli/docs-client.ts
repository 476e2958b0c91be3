import type { VersionId } from '../../domain/index.js';

/** What the commands need of a client of a server; the composition root hands it in. */
export interface ClientTools {
  connect(settings: ClientSettings & { readonly report: (sentence: string) => void }): DocsClient;
  openArchive(path: string): Promise<Archive>;
  packSite(directory: string, options: { readonly onProgress: OnProgress }): Promise<Packed>;
  /** What the files around a directory say of the project and its version. */
  guess(directory: string): Promise<{ readonly project?: Guess; readonly version?: Guess }>;
}

export interface ClientSettings {
  readonly url: string;
  readonly token?: string;
}

export type OnProgress = (done: number, total: number) => void;

export interface Guess {
  readonly value: string;
  /** A file's name, or a command. */
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
  /** Sentences about what was not taken. */
  readonly leftOut: readonly string[];
}

export interface ListedProject {
  readonly name: string;
  readonly directory_name: string;
  readonly description: string;
  readonly latest_version_dir: string;
  readonly versions: readonly { readonly version: string; readonly directory_name: string }[];
}

/** A server. What it refuses, and what keeps it from answering, is thrown as a `ClientFailure`. */
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
  /** Asks everything that the server decides before it looks at content; publishes nothing. */
  rehearse(id: VersionId): Promise<void>;
  knowsToken(): Promise<boolean | undefined>;
  download(
    project: string,
    version: string,
    options: { readonly target?: string; readonly onReceived: (done: number, total?: number) => void },
  ): Promise<{ readonly file: string; readonly bytes: number }>;
  delete(project: string, version: string): Promise<{ readonly message: string }>;
}

/** An error that a client throws, known by its name: classes don't cross from one adapter to another. */
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
