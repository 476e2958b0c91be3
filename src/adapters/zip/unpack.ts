import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { type CheckedArchive, withArchive } from './checked-archive.js';
import { indexOf } from './index-of.js';
import { writeEntries } from './write-entries.js';

/** Checks every header of the archive, and only then writes. On any failure nothing of the site is left. */
export function unpack(request: UnpackRequest): Promise<UnpackedSite> {
  const { archiveFile, limits, foldsCase = false } = request;
  return withArchive(archiveFile, limits, foldsCase, (archive) => writeSite(archive, request));
}

async function writeSite(
  archive: CheckedArchive,
  { siteDirectory, indexFile }: UnpackRequest,
): Promise<UnpackedSite> {
  const { files, top } = archive;
  mkdirSync(siteDirectory, { mode: 0o755 });
  try {
    await writeEntries(archive, siteDirectory);
    // Only now: all of the content has been inflated, and its sizes and CRCs are right.
    if (indexFile !== undefined) {
      writeFileSync(indexFile, indexOf(files, top).toString(), { flag: 'wx', mode: 0o644 });
    }
  } catch (error) {
    rmSync(siteDirectory, { recursive: true, force: true });
    if (indexFile !== undefined) rmSync(indexFile, { force: true });
    throw error;
  }
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    hasIndex: files.some(({ path }) => path === `${top}index.html`),
  };
}
