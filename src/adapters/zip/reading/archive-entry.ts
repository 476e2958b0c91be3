/** One header of the central directory, kept small: a hundred thousand of them are held at once. */
export interface ArchiveEntry {
  /** As it stands in the archive, decoded: what a refusal names. */
  readonly name: string;
  /** The bytes of the name, one per character. */
  readonly rawName: string;
  /** Where it belongs below the root of the archive; empty for the root itself. */
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
  /** Where the content starts; known once the local header was read. */
  dataOffset: number;
}

/** `ignored`: what operating systems leave in archives. It is checked like the rest and never written. */
export type EntryKind = 'file' | 'directory' | 'ignored';
