import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import type { UnpackRequest } from '../../../application/ports/archives.js';
import { refuse } from '../../../domain/refusal/refuse.js';
import { errnoOf } from '../../../node/system-errors.js';
import { READ_AHEAD } from '../reading/archive-reader.js';
import { type CheckedArchive, withArchive } from '../reading/checked-archive.js';
import { readContent } from './content.js';
import { indexOf } from './index-archive.js';
import { type FoundContent, SiteFacts } from './site-facts.js';

/** Unpacks an archive. Checks every header before it writes; on failure, leaves no files. */
export function unpack(request: UnpackRequest): Promise<FoundContent> {
  const { archiveFile, limits, foldsCase = false } = request;
  return withArchive(archiveFile, limits, foldsCase, (archive) => writeSite(archive, request));
}

async function writeSite(
  archive: CheckedArchive,
  { siteDirectory, indexFile, readsLinks }: UnpackRequest,
): Promise<FoundContent> {
  const facts = new SiteFacts(archive, readsLinks);
  mkdirSync(siteDirectory, { mode: 0o755 });
  try {
    await writeEntries(archive, new SiteWriter(siteDirectory), facts);
    const found = await facts.found();
    // Last: sizes and CRCs of all content have been checked.
    if (indexFile !== undefined) {
      writeFileSync(indexFile, indexOf(archive, facts.charsetsByPath()), { flag: 'wx', mode: 0o644 });
    }
    return found;
  } catch (error) {
    remove(siteDirectory);
    if (indexFile !== undefined) remove(indexFile);
    throw error;
  }
}

/** Removes what was written. A failure to do so must not hide the first error: the process may be out of descriptors. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The caller removes the directory around it, now or later.
  }
}

/**
 * Writes the entries, and checks all content against its headers, also of entries that are no part of the site.
 * @throws Refusal `invalid_archive`; PastTheEnd; an error of the disk
 */
async function writeEntries(
  { reader, entries, top }: CheckedArchive,
  site: SiteWriter,
  facts: SiteFacts,
): Promise<void> {
  reader.readAhead = READ_AHEAD.content;
  for (const entry of entries) {
    const path = entry.path.slice(top.length);
    if (entry.kind === 'file') {
      const file = site.createFile(path, entry.name);
      try {
        await readContent(reader, entry, facts.keeping(entry, file.write));
      } finally {
        file.close();
      }
    } else {
      const isBelowTop = `${entry.path}/`.startsWith(top);
      if (entry.kind === 'directory' && isBelowTop) site.createDirectory(path);
      await readContent(reader, entry, () => {});
    }
  }
}

/**
 * Writes a site into its new directory. Never opens a file twice or follows a link. Modes are 0644 and 0755, whatever the
 * archive says.
 */
class SiteWriter {
  private readonly directories = new Set(['']);

  constructor(private readonly siteDirectory: string) {}

  /** Creates a directory and its parents, where missing. */
  createDirectory(path: string): void {
    if (this.directories.has(path)) return;
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    this.directories.add(path);
    try {
      mkdirSync(`${this.siteDirectory}/${path}`, { mode: 0o755 });
    } catch (error) {
      // On a case-insensitive file system, another spelling may have created it.
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
  }

  /** @param entry name for the refusal when two names are the same to the file system */
  createFile(path: string, entry: string) {
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    try {
      const fd = openSync(`${this.siteDirectory}/${path}`, 'wx', 0o644);
      return { write: (bytes: Uint8Array) => writeFileSync(fd, bytes), close: () => closeSync(fd) };
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
      throw refuse.invalidArchive(
        'appears twice, since the file system of this server treats some names as equal',
        entry,
        {
          cause: error,
        },
      );
    }
  }
}
