import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { ClientError } from '../client-error.js';
import { ArchiveFile } from './archive-file.js';
import { openUnchanged, readSiteDirectory, type SiteDirectory } from './site-directory.js';

/** Earliest time of a zip entry, whose years begin in 1980. */
const EARLIEST = new Date(Date.UTC(1980, 0, 2));

interface PackOptions {
  /** Called with the bytes read so far and the total. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Paths to leave out. */
  readonly without?: readonly string[] | undefined;
}

export interface PackedSite extends Pick<SiteDirectory, 'leftOut' | 'skippedLinks'> {
  readonly archive: ArchiveFile;
  readonly files: number;
}

/**
 * Packs a directory into a temporary archive, one file after the other, in constant memory. yazl writes zip64 when
 * needed, so there is no limit on size or number of files.
 * @throws ClientError when the directory has no files, or a name that no server accepts, or a file was exchanged meanwhile
 */
export async function packSite(directory: string, options: PackOptions = {}): Promise<PackedSite> {
  const { without = [] } = options;
  const site = await readSiteDirectory(directory);
  const files = site.files.filter(({ path }) => !without.includes(path));
  if (files.length === 0) throw new ClientError('usage', `${directory} holds no files`);
  // Packing starts once something reads it: an error before that would have no listener.
  const archive = await ArchiveFile.temporary((take) =>
    pipeline(zipOf(directory, { root: site.root, files }, options), async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await take(piece);
    }),
  );
  return { archive, files: files.length, leftOut: site.leftOut, skippedLinks: site.skippedLinks };
}

function zipOf(
  directory: string,
  { root, files }: Pick<SiteDirectory, 'root' | 'files'>,
  { onProgress }: PackOptions,
): Readable {
  const total = files.reduce((bytes, { size }) => bytes + size, 0);
  let done = 0;

  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // On an error yazl does not end its output stream.
  zip.on('error', (error: Error) => output.destroy(error));
  let content: Readable | undefined;
  // yazl leaves it open when the output fails.
  output.on('close', () => content?.destroy());
  for (const { path, modified, target = join(root, path), dev, ino } of files) {
    const options = { mtime: modified < EARLIEST ? EARLIEST : modified, mode: 0o100644 };
    zip.addReadStreamLazy(path, options, (take) => {
      const opened = (file: FileHandle) => {
        content = file.createReadStream();
        content.on('error', (error) => output.destroy(error));
        content.on('data', (piece) => {
          done += piece.length;
          onProgress?.(done, total);
        });
        if (output.destroyed) content.destroy();
        take(null, content);
      };
      const failed = (error: Error) => output.destroy(error);
      const typedPath = join(directory, path);
      openUnchanged({ path, typedPath, realPath: target, dev, ino }).then(opened).catch(failed);
    });
  }
  zip.end();
  return output;
}
