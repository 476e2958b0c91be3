/** A header of the central directory. Small, since a hundred thousand are in memory at once. */
export interface ArchiveEntry {
  /** The name in the archive, decoded, for refusals. */
  readonly name: string;
  /** The bytes of the name, one per character. */
  readonly rawName: string;
  /** Path below the root of the archive; empty for the root itself. */
  readonly path: string;
  readonly kind: EntryKind;
  readonly versionMadeBy: number;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  /** Bytes in the archive, and bytes of content, as declared. */
  readonly compressedSize: number;
  readonly size: number;
  readonly headerOffset: number;
  /** Offset of the content; known once the local header was read. */
  dataOffset: number;
}

/** `ignored`: files that operating systems add to archives, checked like all others but never written. */
export type EntryKind = 'file' | 'directory' | 'ignored';
