import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ArchiveWriter } from './archive-writer.js';
import { filesOf } from './site-files.js';

/**
 * Packs the files of a site into a new archive, one after the other.
 * @throws EEXIST when `archiveFile` is there already.
 */
export async function pack(siteDirectory: string, archiveFile: string): Promise<void> {
  const files = filesOf(siteDirectory);
  const archive = new ArchiveWriter(archiveFile);
  try {
    for (const { path, modified } of files) await archive.add(join(siteDirectory, path), path, modified);
    archive.end();
  } catch (error) {
    rmSync(archiveFile, { force: true });
    throw error;
  } finally {
    archive.close();
  }
}
