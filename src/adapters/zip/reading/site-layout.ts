import type { ArchiveEntry, EntryKind } from './archive-entry.js';

/** Where a name belongs below the root of the archive: `\` is read as `/`, and `.` components say nothing. */
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

/** Names that mean the root of the archive, which `zip -r site.zip .` writes. */
export const namesRoot = (name: string): boolean => /^\.([/\\]\.)*[/\\]?$/.test(name);

export const namesDirectory = (name: string): boolean => /(^|[/\\])\.?$/.test(name) && name !== '';

/** What macOS and Windows leave in archives is no part of a site. */
export function kindOf(path: string, isDirectory: boolean): EntryKind {
  if (/(^|\/)__MACOSX(\/|$)/.test(path) || (!isDirectory && /(^|\/)(\.DS_Store|Thumbs\.db)$/.test(path))) {
    return 'ignored';
  }
  return isDirectory ? 'directory' : 'file';
}

/** The single top-level directory that holds every file, as `docs/`; empty when the files stand at the root. */
export function topDirectoryOf(files: Iterable<ArchiveEntry>): string {
  let top: string | undefined;
  for (const { path } of files) {
    top ??= path.slice(0, path.indexOf('/') + 1);
    if (top === '' || !path.startsWith(top)) return '';
  }
  return top ?? '';
}
