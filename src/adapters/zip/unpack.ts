import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { UnpackedSite, UnpackRequest } from '../../application/ports/archives.js';
import { refuse } from '../../domain/refusal.js';
import { ArchiveReader, PastTheEnd } from './archive-reader.js';
import { type CentralDirectory, readCentralDirectory } from './central-directory.js';
import { deflatedFilesOf } from './deflated-files-of.js';
import { Helper, type Line } from './helper.js';
import { checkLocalHeaders } from './local-headers.js';
import { asRefusal } from './refusal-of.js';
import { SharedWork, Stopped } from './shared-work.js';
import { topDirectoryOf } from './site-layout.js';
import { writeEntries } from './write-entries.js';

/**
 * Checks every header of the archive, and only then writes, together with whoever helps at the other end of the
 * line. On any failure nothing of the site is left.
 */
export async function unpack(request: UnpackRequest, line?: Line): Promise<UnpackedSite> {
  const helper = line && new Helper(line.port);
  try {
    const archive = new ArchiveReader(request.archiveFile);
    try {
      const directory = await checkedDirectory(archive, request);
      return await writeSite(archive, directory, request, { helper, work: new SharedWork(line?.memory) });
    } finally {
      archive.closeFile();
    }
  } finally {
    helper?.dismiss();
  }
}

async function checkedDirectory(
  archive: ArchiveReader,
  { limits, foldsCase = false }: UnpackRequest,
): Promise<CentralDirectory> {
  try {
    const directory = await readCentralDirectory(archive, limits, foldsCase);
    if (!directory.entries.some(({ kind }) => kind === 'file')) {
      throw refuse.invalidArchive('it holds no files');
    }
    checkLocalHeaders(archive, directory);
    return directory;
  } catch (error) {
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  }
}

async function writeSite(
  archive: ArchiveReader,
  { entries }: CentralDirectory,
  { archiveFile, siteDirectory, deflatedFile }: UnpackRequest,
  { helper, work }: { helper: Helper | undefined; work: SharedWork },
): Promise<UnpackedSite> {
  const files = entries.filter(({ kind }) => kind === 'file');
  const top = topDirectoryOf(files);
  const unpacking = { entries, total: entries.length, top, siteDirectory };
  mkdirSync(siteDirectory, { mode: 0o755 });
  try {
    helper?.offer({ archiveFile, unpacking });
    await writeEntries(archive, unpacking, { work, side: 'front' });
    if (!work.isDone) {
      const failure = await helper?.left();
      if (!work.isDone) throw failure ?? new Error('A thread that helped to unpack ended before it was done');
    }
    // Only now: all of the content has been inflated, and its sizes and CRCs are right.
    if (deflatedFile !== undefined) {
      writeFileSync(deflatedFile, deflatedFilesOf(files, top).bytes, { flag: 'wx', mode: 0o644 });
    }
  } catch (error) {
    work.stop();
    const failure = await helper?.left();
    rmSync(siteDirectory, { recursive: true, force: true });
    if (deflatedFile !== undefined) rmSync(deflatedFile, { force: true });
    throw error instanceof Stopped ? (failure ?? error) : error;
  }
  return {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    hasIndex: files.some(({ path }) => path === `${top}index.html`),
  };
}
