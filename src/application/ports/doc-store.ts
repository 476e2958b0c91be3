import type { Catalogue, DocinfoReading, SitePath, Version, VersionId } from '../../domain/index.js';

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a file in another encoding, ready to be sent. */
export interface EncodedFile {
  /** Bytes. */
  readonly size: number;
  /** To be called at most once; closes the file at its end. */
  stream(): AsyncIterable<Uint8Array>;
  /** Closes the file when its bytes are not wanted. Safe to call more than once. */
  close(): Promise<void>;
}

/** One file, opened once: size, validators and bytes all belong to the same open handle. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** Changes whenever the bytes change; without quotes. */
  readonly etag: string;
  /**
   * The bytes, all or those of the range. To be called at most once; closes the file at its end. A chunk is valid
   * until the next one is asked for: whoever keeps it, copies it.
   */
  stream(range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Closes a file whose bytes are not wanted. Safe to call more than once. */
  close(): Promise<void>;
  /**
   * The file as gzip (RFC 1952), where that takes no compressing. May be called after the file was closed, and does
   * not close it.
   */
  readonly gzipped?: () => Promise<EncodedFile | undefined>;
}

/** What stands at a path of a site. */
export type SiteEntry = { readonly kind: 'file'; readonly file: StoredFile } | { readonly kind: 'directory' };

/** Files of a site, by path. */
export interface FileList {
  /** Components joined by `/`; in the order of their code units. */
  readonly paths: readonly string[];
  /** Whether the site has, or may have, more files than these. */
  readonly more: boolean;
}

/** The archive as it arrived. */
export interface ReceivedArchive {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** An upload being received and checked. Nobody sees it; it has a local directory of its own until it is published. */
export interface Staging {
  /** Where `receive` puts the archive: a path on this machine. */
  readonly archiveFile: string;
  /** Where the site has to be unpacked to; does not exist yet. */
  readonly siteDirectory: string;
  /** Where unpacking writes the archive's index, if the store can make use of that. */
  readonly indexFile?: string;
  /**
   * Writes the archive as its bytes come, hashing them on the way; memory does not grow with it.
   * @throws Refusal `upload_too_large` as soon as more than `maxBytes` have come.
   */
  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive>;
  /** Removes everything that was staged. Safe to call more than once, and after `publish`. */
  discard(): Promise<void>;
}

/** What is published along with a staged site. */
export interface Publication {
  readonly id: VersionId;
  readonly publishedAt: Date;
  readonly archive: ReceivedArchive;
  readonly site: { readonly files: number; readonly bytes: number };
  /** The name (never the secret) of the token that uploaded it. */
  readonly token: string;
}

export interface Published {
  readonly version: Version;
  /** Whether a version of the same name was there before. */
  readonly replaced: boolean;
  /** Why the site's docinfo was ignored, when it was. */
  readonly docinfoProblem?: string;
}

/** What changed between two catalogues. A replaced version is in both lists, with two revisions. */
export interface CatalogueChange {
  readonly came: readonly Version[];
  readonly gone: readonly Version[];
}

/** Reads the text of a docinfo file (contract section 4); never throws. */
export type ReadDocinfo = (text: string) => DocinfoReading;

/** Longest time after which a store knows of what another process or node has changed. */
export const FRESHNESS_MS = 2_000;

/**
 * Where published sites live. Every adapter keeps these promises, and `test/contracts/doc-store.ts` checks
 * them sentence by sentence:
 *
 * - A version becomes visible all at once: a reader sees all of it or nothing, and during a replacement the
 *   old one or the new one, never a mixture.
 * - Publishing that fails, for whatever reason, leaves the state before and no trace of the attempt.
 * - Every publication gives the version a new `revision`; no revision is ever used twice.
 * - Of two publications of one new version without `replace`, one wins and one is refused.
 * - What was published reads back byte for byte, sites and archives alike.
 * - Removing `a` leaves `a-b` alone. Removing the last version removes the project.
 * - A file that was opened can be read to its end, whatever is published or removed meanwhile.
 * - A second store over the same data sees the same state, within `FRESHNESS_MS`.
 */
export interface DocStore {
  /**
   * Whether the place where versions are stored takes `Readme` and `README` for the same name. Such a store refuses
   * what `whyNotSpelled` is against.
   */
  readonly foldsCase: boolean;

  /**
   * Everything published, from memory: own changes at once, those of others within `FRESHNESS_MS`. The same object as
   * before when nothing has changed.
   * @throws Refusal `unavailable` when the store could not be reached when it was last asked
   */
  catalogue(): Catalogue;

  /**
   * Tells a listener of each change to the catalogue, after `catalogue()` shows it; whoever made the change. Listeners
   * are called one after the other and must not throw.
   * @returns ends the subscription
   */
  subscribe(listener: (change: CatalogueChange) => void): () => void;

  /** Makes room for one upload. */
  stage(): Promise<Staging>;

  /**
   * Makes a staged site visible. When it returns, a power cut does not lose the version.
   * @throws Refusal `version_exists` when the version is there and `replace` is false; where the store folds case also
   *   what `whyNotSpelled` gives of what is stored at that moment, and `unavailable` while another spelling is changed.
   *   The staging still stands then.
   */
  publish(
    staging: Staging,
    publication: Publication,
    options: { readonly replace: boolean },
  ): Promise<Published>;

  /**
   * Removes a version.
   * @param options.revision removes only this publication of it
   * @throws Refusal `project_not_found`, or `version_not_found`: also when the version has another revision by now
   */
  remove(id: VersionId, options?: { readonly revision?: string }): Promise<void>;

  /** What stands at `path` in the version's site, or undefined. Never leads out of the site. */
  open(version: Version, path: SitePath): Promise<SiteEntry | undefined>;

  /**
   * The first files of a site by path, at most `max` of them. Hidden ones are left out. A store may stop looking
   * after 20,000 files and directories, and then says that there are more.
   */
  listFiles(version: Version, max: number): Promise<FileList>;

  /**
   * The version's archive: the uploaded one, byte for byte. A store that takes copied-in directories packs them on the
   * first call, and again when they have changed.
   * @throws Refusal `version_not_found` when the version is gone.
   */
  openArchive(version: Version): Promise<StoredFile>;

  readonly documents: ProjectDocuments;
  readonly derived: DerivedFiles;

  /** Ends background work, and waits for it. Safe to call twice. */
  close(): Promise<void>;
}

/** Small documents of a project that are not part of any version, such as its settings. They outlive its versions. */
export interface ProjectDocuments {
  /**
   * @returns the text, or undefined when there is none of this name
   * @throws RangeError for names that `write` does not take
   */
  read(project: string, name: string): Promise<string | undefined>;
  /**
   * Replaces a document wholly, or removes it. When it returns, a power cut does not lose the change.
   * @param name lower-case letters, digits and hyphens, 1 to 40
   * @param text undefined removes the document; at most 64 KiB as UTF-8
   * @throws RangeError for anything else, and for what cannot be a project's name
   */
  write(project: string, name: string, text: string | undefined): Promise<void>;
}

/**
 * Files made from a publication, such as a search index: kept as long as the publication, at most. Any of them may be
 * gone at any time, and can be made again.
 */
export interface DerivedFiles {
  /**
   * @returns the file, or undefined when it has to be made
   * @throws RangeError for names that `write` does not take
   */
  open(revision: string, name: string): Promise<StoredFile | undefined>;
  /**
   * Keeps a file, whole or not at all; replaces one of the same name.
   * @param name lower-case letters, digits, dots and hyphens, 1 to 40, beginning with a letter
   * @throws RangeError for anything else
   */
  write(revision: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** What a store on a disk of this machine can do beside keeping documents. */
export interface LocalStore {
  /**
   * Where a file of an uploaded version is below the served directory, for a web server that can read it there:
   * components joined by `/`. Undefined for a file that may change as long as it is there.
   */
  localPath(file: StoredFile): string | undefined;
  /** Bytes that can still be stored. */
  freeBytes(): Promise<number>;
}
