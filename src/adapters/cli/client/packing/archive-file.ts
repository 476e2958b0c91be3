import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClientError, localError } from '../client-error.js';

/** Bytes read at a time. Pieces are garbage once they are sent: those of 64 KiB take 40 MB more for an archive of 200 MB. */
const PIECE_BYTES = 16 * 1024;

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
   * Creates a temporary archive with what `write` writes. Its file is unlinked at once, so no exit leaves it behind.
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
      if (bytesRead === 0) throw new ClientError('usage', 'The archive became shorter while it was sent');
      position += bytesRead;
      if (position > this.size) throw new ClientError('usage', 'The archive became longer while it was sent');
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
