import type { ArchiveIndex } from '../../formats/index.js';

/** Limits on what an archive may hold, enforced on real bytes while reading (contract section 5). */
export interface ArchiveLimits {
  /** Bytes of all files together. */
  readonly maxExtractedBytes: number;
  readonly maxFiles: number;
  /** Content may be this many times the archive's size once it passes `RATIO_FREE_BYTES`. */
  readonly maxRatio: number;
  /** Bytes that all files together may take of the disk now, if that is known: more are `insufficient_storage`. */
  readonly roomBytes?: number | undefined;
}

/** Below this much content the ratio does not matter: small sites of repetitive text deflate very well. */
export const RATIO_FREE_BYTES = 64 * 1024 * 1024;

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  maxExtractedBytes: 2 * 1024 ** 3,
  maxFiles: 100_000,
  maxRatio: 50,
};

export interface UnpackRequest {
  readonly archiveFile: string;
  /** Must not exist; exists only when the whole archive was accepted. */
  readonly siteDirectory: string;
  readonly limits: ArchiveLimits;
  /** Where to write the archive's index, as `ArchiveIndex` in `formats` has it. Must not exist. */
  readonly indexFile?: string;
  /** Whether the file system takes `Readme` and `README` for the same name. */
  readonly foldsCase?: boolean;
}

export interface UnpackedSite {
  readonly files: number;
  /** Bytes of all files together. */
  readonly bytes: number;
  /** Whether `index.html` stands at the root. */
  readonly hasIndex: boolean;
}

/**
 * Reading and writing zip archives. Reading trusts nothing: an archive is accepted whole or refused whole, and
 * then nothing of it is left behind.
 */
export interface Archives {
  /**
   * Told that an archive is being received, which will have to be unpacked: what takes long to start may start now.
   */
  expect?(): void;
  /** @throws Refusal `invalid_archive` naming the offending entry, `archive_too_large` naming the limit, `insufficient_storage`, or `unavailable`. */
  unpack(request: UnpackRequest): Promise<UnpackedSite>;
  /**
   * Checks an archive exactly as `unpack` does, all of its content included, without writing anything: for stores that
   * send files out of the archive itself. Names that differ in case only are two files.
   * @throws as `unpack`
   */
  index(archiveFile: string, limits: ArchiveLimits): Promise<ArchiveIndex>;
  /**
   * Compares a directory with the archive that it was unpacked from: which files there are, their sizes and
   * their CRC-32.
   * @returns a sentence for each difference, at most `most` of them; none when all is well
   */
  verify(archiveFile: string, siteDirectory: string, most?: number): Promise<readonly string[]>;
  /** Packs the regular files below `siteDirectory` into a new file `archiveFile`. */
  pack(siteDirectory: string, archiveFile: string): Promise<void>;
  /** The process has to end soon: `unpack` and `pack` may fail with `unavailable`; nothing is left behind then. */
  giveUp?(): void;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
