import type { SitePath, Version } from '../../domain/index.js';

/** A range of bytes, from the first to the last position, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An encoded form of a file, ready to be sent. */
export interface EncodedFile {
  /** Bytes. */
  readonly size: number;
  /** Returns the bytes and closes the file at the end. Call it at most once. */
  stream(): AsyncIterable<Uint8Array>;
  /** Closes the file without reading it. Safe to call more than once. */
  close(): Promise<void>;
  /**
   * Called by a reader who found that the bytes cannot be read or decoded. The store then looks for the bytes elsewhere, or
   * has no encoded form of its files until its copy was changed.
   */
  distrust(): void;
}

/** An open file. Size, validators and bytes belong to the same handle. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
  /** Changes whenever the bytes change; without quotes. */
  readonly etag: string;
  /** Charset of a text, as headers have it, or `UNKNOWN_CHARSET`, for which they have none; undefined for UTF-8, and where it is no text. */
  readonly charset?: string | undefined;
  /**
   * Returns all bytes, or those of the range, and closes the file at the end. Call it at most once. A chunk is valid
   * only until the next one is read: copy it to keep it.
   */
  stream(range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Closes the file without reading it. Safe to call more than once. */
  close(): Promise<void>;
  /**
   * Returns the file as gzip (RFC 1952) of one member if that needs no compressing. The bytes are not checked. May be
   * called after the file was closed, and does not close it.
   */
  readonly gzipped?: () => Promise<EncodedFile | undefined>;
}

/** A file or directory of a site. */
export type SiteEntry = { readonly kind: 'file'; readonly file: StoredFile } | { readonly kind: 'directory' };

/** Paths of a site's files. */
export interface FileList {
  /** Components joined by `/`, sorted by code units. */
  readonly paths: readonly string[];
  /** Sizes of the files in bytes, in the same order, where they were asked for. */
  readonly sizes?: readonly number[];
  /** Whether the site has, or may have, more files than these. */
  readonly more: boolean;
}

/**
 * Bytes that a project takes in a store: archives, and sites where the store unpacks them. Copied-in directories are not
 * counted.
 */
export interface DiskUse {
  readonly versions: number;
  readonly previews: number;
  /** Publications that were removed or replaced, and are not deleted yet. */
  readonly removed: number;
}

/** The files of what is published. */
export interface Sites {
  /** Opens the file or directory at `path` in the version's site, or returns undefined. Never leaves the site. */
  open(version: Version, path: SitePath): Promise<SiteEntry | undefined>;

  /**
   * Returns the first files of a site by path, at most `max`, without hidden ones. A store may stop after 20,000 files
   * and directories, or after `max` if that is more, and then sets `more`.
   */
  listFiles(version: Version, max: number, withSizes?: boolean): Promise<FileList>;

  /**
   * Returns a checksum of each file of a site by path, hidden ones included. Files of equal checksums have equal content.
   * @returns undefined where that takes reading the files: for a copied-in directory, and for an archive without index
   */
  checksums(version: Version): Promise<ReadonlyMap<string, string> | undefined>;

  /**
   * Opens the version's archive: the uploaded one, byte for byte. A copied-in directory is packed on the first call,
   * and again after it changed.
   * @throws Refusal `version_not_found` when the version no longer exists
   */
  openArchive(version: Version): Promise<StoredFile>;

  readonly derived: DerivedFiles;

  /** Returns the bytes that a project takes, from what is known: nothing is walked through. */
  diskUse(project: string): Promise<DiskUse>;
}

/**
 * Cache of files derived from a publication, such as a search index. They are removed with the publication at the
 * latest; any may vanish at any time and can be made again.
 */
export interface DerivedFiles {
  /**
   * @returns the file, or undefined when it is not cached
   * @throws RangeError for names that `write` does not take
   */
  open(revision: string, name: string): Promise<StoredFile | undefined>;
  /**
   * Writes or replaces a file atomically.
   * @param name lower-case letters, digits, dots and hyphens, 1 to 40, beginning with a letter
   * @throws RangeError for anything else
   */
  write(revision: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void>;
}
