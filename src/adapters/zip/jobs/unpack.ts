import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ArchiveContent, UnpackRequest } from '../../../application/ports/archives.js';
import { READ_AHEAD } from '../reading/archive-reader.js';
import { type CheckedArchive, withArchive } from '../reading/checked-archive.js';
import { readContent } from './content.js';
import { indexOf } from './index-archive.js';
import { PageSample } from './page-sample.js';
import { SiteWriter } from './site-writer.js';

/** Unpacks an archive. Checks every header before it writes; on failure, leaves no files. */
export function unpack(request: UnpackRequest): Promise<ArchiveContent> {
  const { archiveFile, limits, foldsCase = false } = request;
  return withArchive(archiveFile, limits, foldsCase, (archive) => writeSite(archive, request));
}

async function writeSite(
  archive: CheckedArchive,
  { siteDirectory, indexFile }: UnpackRequest,
): Promise<ArchiveContent> {
  const { files, top } = archive;
  const sample = new PageSample(archive);
  mkdirSync(siteDirectory, { mode: 0o755 });
  try {
    await writeEntries(archive, new SiteWriter(siteDirectory), sample);
    // Last: sizes and CRCs of all content have been checked.
    if (indexFile !== undefined) {
      writeFileSync(indexFile, indexOf(archive), { flag: 'wx', mode: 0o644 });
    }
  } catch (error) {
    remove(siteDirectory);
    if (indexFile !== undefined) remove(indexFile);
    throw error;
  }
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    hasIndex: files.some(({ path }) => path === `${top}index.html`),
    rootedLinks: sample.rootedLinks(),
  };
}

/** Removes what was written. Its own failure must not hide why: the process may be out of descriptors. */
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
  sample: PageSample,
): Promise<void> {
  reader.readAhead = READ_AHEAD.content;
  for (const entry of entries) {
    const path = entry.path.slice(top.length);
    if (entry.kind === 'file') {
      const file = site.createFile(path, entry.name);
      try {
        await readContent(reader, entry, sample.keeping(entry, file.write));
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
