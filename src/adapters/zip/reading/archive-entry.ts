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

/** Path of a name below the root of the archive: `\` is read as `/`, and `.` components are dropped. */
export function pathOf(name: string): string {
  const path = name.includes('\\') ? name.replaceAll('\\', '/') : name;
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return /(^|\/)\.(\/|$)/.test(bare)
    ? bare
        .split('/')
        .filter((component) => component !== '.')
        .join('/')
    : bare;
}

/** Names of the archive's root, as `zip -r site.zip .` writes them. */
export const namesRoot = (name: string): boolean => /^\.([/\\]\.)*[/\\]?$/.test(name);

export const namesDirectory = (name: string): boolean => /(^|[/\\])\.?$/.test(name) && name !== '';

/** Kind of an entry. Files that macOS and Windows add are no part of the site. */
export function kindOf(path: string, isDirectory: boolean): EntryKind {
  if (/(^|\/)__MACOSX(\/|$)/.test(path) || (!isDirectory && /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path))) {
    return 'ignored';
  }
  return isDirectory ? 'directory' : 'file';
}

/** The single top-level directory that holds every file, such as `docs/`; empty when there is none. */
export function topDirectoryOf(files: Iterable<ArchiveEntry>): string {
  let top: string | undefined;
  for (const { path } of files) {
    top ??= path.slice(0, path.indexOf('/') + 1);
    if (top === '' || !path.startsWith(top)) return '';
  }
  return top ?? '';
}
