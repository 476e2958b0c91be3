import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { ClientError, localError } from '../client-error.js';
import { openUnchanged, readSiteDirectory, type SiteDirectory } from './site-directory.js';

/** Bytes read at a time. Pieces are garbage once they are sent: with 64 KiB they take 40 MB more for an archive of 200 MB. */
const PIECE_BYTES = 16 * 1024;

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
  if (files.length === 0) throw new ClientError('usage', `${directory} contains no files`);
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

/** An archive to push. The file stays open, so that every attempt sends the same file even if it is renamed. */
export class ArchiveFile {
  private constructor(
    private readonly handle: FileHandle,
    /** Bytes. */
    readonly size: number,
  ) {}

  /** @throws ClientError when there is no such file */
  static async open(path: string): Promise<ArchiveFile> {
    const handle = await open(path).catch((error: unknown) => {
      throw localError(path, error);
    });
    return ArchiveFile.of(handle);
  }

  /**
   * Creates a temporary archive with what `write` writes. The file is unlinked at once, so no exit leaves it behind.
   * @throws ClientError when it cannot be written
   */
  static async temporary(
    write: (take: (piece: Uint8Array) => Promise<void>) => Promise<void>,
  ): Promise<ArchiveFile> {
    const failed = (error: unknown) => {
      throw localError(`the temporary directory ${tmpdir()}`, error);
    };
    const path = join(tmpdir(), `lectern-${randomUUID()}.zip`);
    const handle = await open(path, 'wx+', 0o600).catch(failed);
    try {
      await unlink(path);
      await write((piece) => handle.writeFile(piece).catch(failed));
      return await ArchiveFile.of(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private static async of(handle: FileHandle): Promise<ArchiveFile> {
    return new ArchiveFile(handle, (await handle.stat()).size);
  }

  /** Reads the bytes from the start. */
  async *read(): AsyncIterable<Uint8Array> {
    let position = 0;
    while (position < this.size) {
      // A new buffer for each chunk: the previous one may not be sent yet.
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const { bytesRead, buffer } = await this.handle.read(piece, 0, PIECE_BYTES, position);
      if (bytesRead === 0) throw new ClientError('usage', 'The archive shrank while it was being sent');
      position += bytesRead;
      if (position > this.size) throw new ClientError('usage', 'The archive grew while it was being sent');
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Returns the hash in lower-case hexadecimal. */
  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of this.read()) hash.update(piece);
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
