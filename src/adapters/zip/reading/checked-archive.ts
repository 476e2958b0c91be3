import type { ArchiveLimits } from '../../../application/ports/archives.js';
import { refuse } from '../../../domain/refusal/refuse.js';
import { type ArchiveEntry, topDirectoryOf } from './archive-entry.js';
import { ArchiveReader, PastTheEnd } from './archive-reader.js';
import { readCentralDirectory } from './central-directory.js';
import { checkLocalHeaders } from './local-headers.js';
import { asRefusal } from './refusal-of.js';

/** An archive whose headers are checked, against each other and the limits; its content is not read yet. */
export interface CheckedArchive {
  readonly reader: ArchiveReader;
  /** All entries, in the order of their content. */
  readonly entries: readonly ArchiveEntry[];
  /** The entries that are files of the site. */
  readonly files: readonly ArchiveEntry[];
  /** The directory that holds every file, such as `docs/`; left out of the site. */
  readonly top: string;
}

/**
 * Opens an archive, checks its headers, and closes it after `work`.
 * @throws Refusal `invalid_archive`, `archive_too_large`; an error of the disk; errors of `work`
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
    if (files.length === 0) throw refuse.invalidArchive('it contains no files');
    checkLocalHeaders(reader, directory);
    return await work({ reader, entries, files, top: topDirectoryOf(files) });
  } catch (error) {
    throw error instanceof PastTheEnd ? asRefusal(error, 'it ends before its content does') : error;
  } finally {
    reader.closeFile();
  }
}
