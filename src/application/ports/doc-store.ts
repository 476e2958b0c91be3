import type { Catalogue, DocinfoReading, SitePath, Version, VersionId } from '../../domain/index.js';

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The bytes of a file in another form, ready to be sent. */
export interface EncodedFile {
  /** Bytes. */
  readonly size: number;
  /** To be called at most once; closes the file at its end. */
  stream(): AsyncIterable<Uint8Array>;
  /** Closes it when its bytes are not wanted. Safe to call more than once. */
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
   * Where it is below the directory that is served, for a web server that can read that itself: components joined by
   * `/`. Undefined unless the file never changes as long as it is there.
   */
  readonly storedAt?: string;
  /** The bytes, all or those of the range. To be called at most once; closes the file at its end. */
  stream(range?: ByteRange): AsyncIterable<Uint8Array>;
  /**
   * Reads from a position on into memory of the caller's, and gives how many bytes: fewer than there is room for, and 0
   * at the end of the file. For large files, on stores that have them on a disk. Closes nothing.
   */
  readonly read?: (into: Uint8Array, position: number) => Promise<number>;
  /** Closes a file whose bytes are not wanted. Safe to call more than once. */
  close(): Promise<void>;
  /**
   * The file as gzip (RFC 1952), where that takes no compressing. May be called after the file was closed, and does
   * not close it.
   */
  readonly gzipped?: () => Promise<EncodedFile | undefined>;
}

/** Gives memory for so many bytes. */
export type Allocate = (bytes: number) => Buffer;

/** How a file is to be read at once. */
export interface HowToRead {
  /** Bytes; larger files are left to `open`. */
  readonly most: number;
  /** Files of so many bytes and more are wanted as gzip (RFC 1952). */
  readonly gzipFrom?: number | undefined;
  /** Gives the memory that is read into. A store that has the bytes in memory does not ask for any. */
  readonly allocate?: Allocate;
}

/** A small file of a version that was uploaded, whole. */
export interface HeldFile extends Pick<StoredFile, 'size' | 'modifiedAt' | 'etag'> {
  /** The form that `bytes` have: `size`, like `etag`, is that of the file itself. */
  readonly encoding: 'identity' | 'gzip';
  readonly bytes: Buffer;
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
   * @throws Refusal `upload_too_large` as soon as more than `mostBytes` have come.
   */
  receive(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedArchive>;
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

/** Packs a site directory of this machine into an archive file. */
export type PackSite = (siteDirectory: string, archiveFile: string) => Promise<void>;

/** Reads the text of a docinfo file (contract section 4); never throws. */
export type ReadDocinfo = (text: string) => DocinfoReading;

/**
 * Where published sites live. Every adapter keeps these promises, and `test/contracts/doc-store.ts` checks
 * them sentence by sentence:
 *
 * - A version becomes visible all at once: a reader sees all of it or nothing, and during a replacement the
 *   old one or the new one, never a mixture.
 * - Publishing that fails, for whatever reason, leaves the state before and no trace of the attempt.
 * - Of two publications of one new version without `replace`, one wins and one is refused.
 * - What was published reads back byte for byte, sites and archives alike.
 * - Removing `a` leaves `a-b` alone. Removing the last version removes the project.
 * - A file that was opened can be read to its end, whatever is published or removed meanwhile.
 * - A second store over the same data sees the same state, within a second.
 */
export interface DocStore {
  /**
   * Whether the place where versions are stored takes `Readme` and `README` for the same name. Such a store refuses
   * what `whyNotSpelled` is against.
   */
  readonly foldsCase: boolean;

  /** Everything published now. The same object as before when nothing has changed. */
  catalogue(): Promise<Catalogue>;

  /** The same, without waiting; undefined when it is not certain at this instant that it is current. */
  catalogueNow(): Catalogue | undefined;

  /** Makes room for one upload. */
  stage(): Promise<Staging>;

  /**
   * Makes a staged site visible. When it returns, a power cut does not lose the version.
   * @throws Refusal `version_exists` when the version is there and `replace` is false; where the store folds case also
   *   what `whyNotSpelled` gives, and `unavailable` while another spelling is changed. The staging still stands then.
   */
  publish(
    staging: Staging,
    publication: Publication,
    options: { readonly replace: boolean },
  ): Promise<Published>;

  /** @throws Refusal `project_not_found` or `version_not_found`. */
  remove(id: VersionId): Promise<void>;

  /** What stands at `path` in the version's site, or undefined. Never leads out of the site. */
  open(version: Version, path: SitePath): Promise<SiteEntry | undefined>;

  /**
   * A small file at once, without waiting: for a page that nobody has read lately. The same that `open` gives, or
   * undefined where only that can tell: for directories, larger files, versions put there by hand, a gzip form that
   * is not at hand, and whatever goes wrong.
   */
  readNow(version: Version, path: SitePath, how: HowToRead): HeldFile | undefined;

  /**
   * The first files of a site by path, at most `max` of them. Hidden ones are left out. A store may stop looking
   * after 20,000 files and directories, and then says that there are more.
   */
  listFiles(version: Version, max: number): Promise<FileList>;

  /**
   * The version's archive: the uploaded one, byte for byte. A version put there by hand is packed on the first
   * call, and again when its directory has changed.
   * @throws Refusal `version_not_found` when the version is gone.
   */
  openArchive(version: Version, pack: PackSite): Promise<StoredFile>;

  /** Bytes that can still be stored; undefined where that is not known. */
  freeBytes(): Promise<number | undefined>;

  /** Ends background work, and waits for it. Safe to call twice. */
  close(): Promise<void>;
}
