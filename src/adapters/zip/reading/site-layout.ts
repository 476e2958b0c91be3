import type { ArchiveEntry, EntryKind } from './archive-entry.js';

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
