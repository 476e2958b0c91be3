import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { refuse } from '../../domain/refusal.js';
import { ArchiveReader, PastTheEnd } from './archive-reader.js';
import { type CentralDirectory, readCentralDirectory } from './central-directory.js';
import { deflatedFilesOf } from './deflated-files-of.js';
import { checkLocalHeaders } from './local-headers.js';
import { asRefusal } from './refusal-of.js';
import { topDirectoryOf } from './site-layout.js';
import { writeEntries } from './write-entries.js';

/** Checks every header of the archive, and only then writes. On any failure nothing of the site is left. */
export async function unpack(request: UnpackRequest): Promise<UnpackedSite> {
  const archive = new ArchiveReader(request.archiveFile);
  try {
    const directory = await checkedDirectory(archive, request);
    return await writeSite(archive, directory, request);
  } catch (error) {
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  } finally {
    archive.closeFile();
  }
}

async function checkedDirectory(
  archive: ArchiveReader,
  { limits, foldsCase = false }: UnpackRequest,
): Promise<CentralDirectory> {
  const directory = await readCentralDirectory(archive, limits, foldsCase);
  if (!directory.entries.some(({ kind }) => kind === 'file')) {
    throw refuse.invalidArchive('it holds no files');
  }
  checkLocalHeaders(archive, directory);
  return directory;
}

async function writeSite(
  archive: ArchiveReader,
  { entries }: CentralDirectory,
  { siteDirectory, deflatedFile }: UnpackRequest,
): Promise<UnpackedSite> {
  const files = entries.filter(({ kind }) => kind === 'file');
  const top = topDirectoryOf(files);
  mkdirSync(siteDirectory, { mode: 0o755 });
  try {
    await writeEntries(archive, { entries, top, siteDirectory });
    // Only now: all of the content has been inflated, and its sizes and CRCs are right.
    if (deflatedFile !== undefined) {
      writeFileSync(deflatedFile, deflatedFilesOf(files, top).bytes, { flag: 'wx', mode: 0o644 });
    }
  } catch (error) {
    rmSync(siteDirectory, { recursive: true, force: true });
    if (deflatedFile !== undefined) rmSync(deflatedFile, { force: true });
    throw error;
  }
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    hasIndex: files.some(({ path }) => path === `${top}index.html`),
  };
}
