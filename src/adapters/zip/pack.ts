import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import JSZip from 'jszip';
import { FileSource } from './file-source.js';
import { filesOf } from './site-files.js';

/** JSZip writes no zip64, whose first use is to count further than this. */
const MOST_ENTRIES = 0xffff;
/** The years of the format begin in 1980. */
const EARLIEST = new Date(Date.UTC(1980, 0, 1));

/**
 * Packs the files of a site into a new archive, streaming: one file is open at a time.
 * @throws EEXIST when `archiveFile` is there already; an Error when there are more files than JSZip can write.
 */
export async function pack(siteDirectory: string, archiveFile: string): Promise<void> {
  const files = filesOf(siteDirectory);
  if (files.length > MOST_ENTRIES) {
    throw new Error(`${files.length} files are more than a zip without zip64 can hold (${MOST_ENTRIES})`);
  }
  const zip = new JSZip();
  const sources = files.map(({ path, modified }) => {
    const source = new FileSource(join(siteDirectory, path));
    zip.file(path, source as unknown as NodeJS.ReadableStream, {
      createFolders: false,
      date: modified < EARLIEST ? EARLIEST : modified,
      unixPermissions: 0o100644,
    });
    return source;
  });

  const target = await open(archiveFile, 'wx', 0o644);
  try {
    const content = zip.generateNodeStream({
      streamFiles: true,
      compression: 'DEFLATE',
      platform: 'UNIX',
    });
    await pipeline(content, target.createWriteStream());
  } catch (error) {
    rmSync(archiveFile, { force: true });
    throw error;
  } finally {
    for (const source of sources) source.close();
  }
}
