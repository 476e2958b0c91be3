import type { ArchiveLimits } from '../../../application/ports/archives.js';
import { refuse } from '../../../domain/refusal.js';
import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveReader, PastTheEnd } from './archive-reader.js';
import { readCentralDirectory } from './central-directory.js';
import { checkLocalHeaders } from './local-headers.js';
import { asRefusal } from './refusal-of.js';
import { topDirectoryOf } from './site-layout.js';

/** An archive whose headers agree with one another and with the limits; its content is not read yet. */
export interface CheckedArchive {
  readonly reader: ArchiveReader;
  /** All of them, in the order of their content in the archive. */
  readonly entries: readonly ArchiveEntry[];
  /** Those that are files of the site. */
  readonly files: readonly ArchiveEntry[];
  /** The directory that holds every file of the archive, as `docs/`: it is left out of the site. */
  readonly top: string;
}

/**
 * Opens an archive, checks its headers, and closes it after `work`.
 * @throws Refusal `invalid_archive`, `archive_too_large`; an error of the disk; what `work` throws
 */
export async function withArchive<T>(
  archiveFile: string,
  limits: ArchiveLimits,
  foldsCase: boolean,
  work: (archive: CheckedArchive) => Promise<T>,
): Promise<T> {
  const reader = new ArchiveReader(archiveFile);
  try {
    const directory = await readCentralDirectory(reader, limits, foldsCase);
    const { entries } = directory;
    const files = entries.filter(({ kind }) => kind === 'file');
    if (files.length === 0) throw refuse.invalidArchive('it holds no files');
    checkLocalHeaders(reader, directory);
    return await work({ reader, entries, files, top: topDirectoryOf(files) });
  } catch (error) {
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  } finally {
    reader.closeFile();
  }
}
