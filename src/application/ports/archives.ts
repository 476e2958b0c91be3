import type { DocinfoReading, SiteFacts, UnknownField } from '../../domain/index.js';
import type { MissingAssets, SomePaths } from '../../formats/html/page-links.js';
import type { RootedLinks } from '../../formats/html/rooted-links.js';
import type { ArchiveIndex } from '../../formats/index.js';
import type { CheckedLinks } from './link-checking.js';

/** Limits on the content of an archive, checked against the actual bytes while reading (contract section 5). */
export interface ArchiveLimits {
  /** Max. bytes of all files together. */
  readonly maxExtractedBytes: number;
  readonly maxFiles: number;
  /** Max. compression ratio: unpacked bytes divided by archive bytes. Checked from `RATIO_FREE_BYTES` on. */
  readonly maxRatio: number;
  /** Max. bytes of all files by free disk space, if known. Exceeding it is `insufficient_storage`. */
  readonly roomBytes?: number | undefined;
}

/** Unpacked bytes from which on the ratio is checked: small sites of repetitive text compress very well. */
export const RATIO_FREE_BYTES = 64 * 1024 * 1024;

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxExtractedBytes: 2 * 1024 ** 3,
  maxFiles: 100_000,
  maxRatio: 50,
};

/** No limits, for an archive that was accepted before, or comes from the owner of the machine. */
export const NO_ARCHIVE_LIMITS: ArchiveLimits = {
  maxExtractedBytes: Number.POSITIVE_INFINITY,
  maxFiles: Number.POSITIVE_INFINITY,
  maxRatio: Number.POSITIVE_INFINITY,
};

export interface UnpackRequest {
  readonly archiveFile: string;
  /** Directory to create. Must not exist before, and exists afterwards only if the archive was accepted. */
  readonly siteDirectory: string;
  readonly limits: ArchiveLimits;
  /** File to write the archive's index to, in the format of `ArchiveIndex`. Must not exist before. */
  readonly indexFile?: string;
  /** Whether the file system ignores case: `Readme` and `README` are the same name. */
  readonly foldsCase?: boolean;
  /** Whether the links of the site are checked. @default false */
  readonly readsLinks?: boolean;
}

/**
 * Findings in an archive: facts that are recorded, and faults to warn of. Style sheets and scripts are missing if a sample of
 * pages asks for them.
 */
export interface ArchiveContent extends MissingAssets {
  readonly facts: SiteFacts;
  /** Whether there is an `index.html` at the root. */
  readonly hasIndex: boolean;
  /** The reason why the site's docinfo was ignored, if it was. */
  readonly docinfoProblem?: string | undefined;
  /** Fields of its docinfo that are none, with the name of the file. */
  readonly unknownFields?: { readonly file: string; readonly fields: readonly UnknownField[] } | undefined;
  /** The logo and downloads that its docinfo names and the site lacks, with the name of the file. */
  readonly missingFiles?: { readonly file: string; readonly paths: readonly string[] } | undefined;
  /** A sentence on the mistakes in the site's `_redirects`, if there are any. */
  readonly redirectProblems?: string | undefined;
  /** Links of a sample of its pages, which tell the address that the site was built for; undefined for any address. */
  readonly rootedLinks?: RootedLinks | undefined;
  /** Links of its `404.html`, likewise. */
  readonly missingPageLinks?: RootedLinks | undefined;
  /** Pages of the same sample that scripts draw, unless a reader finds their text elsewhere in the site. */
  readonly drawn?: DrawnPages | undefined;
  /** Pages that have more bytes than are read of one, by search and for agents. */
  readonly longPages?: SomePaths | undefined;
  /** Files whose declared charset was not taken. */
  readonly refusedCharsets?: RefusedCharsets | undefined;
  /** Checked links; undefined where they were not to be checked. */
  readonly links?: FoundLinks | undefined;
}

/** Links of a site, checked. */
export interface FoundLinks extends CheckedLinks {
  /** As in `ReadLinks`. */
  readonly file: Uint8Array;
}

/** Pages that have almost no text before scripts ran: their number, of those that were looked at. */
export interface DrawnPages {
  readonly count: number;
  readonly of: number;
}

/** Files that declare a charset that is not taken: they are sent as UTF-8. */
export interface RefusedCharsets {
  /** The first ones, each with the label that it declares. */
  readonly first: readonly { readonly path: string; readonly label: string }[];
  readonly count: number;
}

/** Reads the text of a docinfo file (contract section 4); never throws. */
export type ReadDocinfo = (text: string) => DocinfoReading;

/** An archive that was checked without being unpacked. */
export interface IndexedArchive extends ArchiveContent {
  readonly index: ArchiveIndex;
}

/**
 * Port for reading and writing zip archives. Archives are untrusted: one is accepted whole or refused whole, and a
 * refused one leaves no files behind.
 */
export interface Archives {
  /** Hint that an archive is being received and `unpack` will follow: slow preparations may start now. */
  expect?(): void;
  /** @throws Refusal `invalid_archive` with the entry, `archive_too_large`, `insufficient_storage`, or `unavailable` */
  unpack(request: UnpackRequest): Promise<ArchiveContent>;
  /**
   * Checks an archive and all its content exactly as `unpack` does, but writes nothing: for stores that serve files
   * from the archive itself. Names that differ only in case are two files.
   * @param readsLinks whether the links of the site are checked. Default: false
   * @throws as `unpack`
   */
  index(archiveFile: string, limits: ArchiveLimits, readsLinks?: boolean): Promise<IndexedArchive>;
  /**
   * Compares a directory with the archive that it was unpacked from: file names, sizes and CRC-32.
   * @returns a sentence for each difference, at most `max` of them; empty when there is none
   */
  verify(archiveFile: string, siteDirectory: string, max?: number): Promise<readonly string[]>;
  /** Packs the regular files of `siteDirectory`, recursively, into a new file `archiveFile`. */
  pack(siteDirectory: string, archiveFile: string): Promise<void>;
  /** Aborts work before the process ends: `unpack` and `pack` may fail with `unavailable`, leaving no files behind. */
  giveUp?(): void;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
