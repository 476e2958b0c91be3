import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { RandomAccessReader } from 'yauzl';

/** Max. bytes read ahead on a miss, by the kind of data. */
export const READ_AHEAD = {
  /** Headers of the central directory are contiguous. */
  directory: 256 * 1024,
  /** Local headers have content between them; those of small files share one read. */
  headers: 64 * 1024,
  /** Entries are unpacked in archive order; neighbours share one read. */
  content: 1024 * 1024,
} as const;

/** Reader of an archive file with one cached window. Sync, which is many times faster in a worker. */
export class ArchiveReader extends RandomAccessReader {
  readonly size: number;
  readAhead: number = READ_AHEAD.directory;
  private readonly fd: number;
  private readonly window = Buffer.allocUnsafeSlow(READ_AHEAD.content);
  private windowStart = 0;
  private windowLength = 0;

  constructor(archiveFile: string) {
    super();
    this.fd = openSync(archiveFile, 'r');
    this.size = fstatSync(this.fd).size;
  }

  /**
   * Returns the bytes at `position`: a view that is valid until the next call.
   * @param length at most `READ_AHEAD.content`
   * @throws PastTheEnd when the archive ends before `position + length`
   */
  slice(position: number, length: number): Buffer {
    if (!(position + length <= this.size)) throw new PastTheEnd();
    const from = position - this.windowStart;
    if (from >= 0 && from + length <= this.windowLength) return this.window.subarray(from, from + length);
    this.windowStart = position;
    this.windowLength = 0;
    const wanted = Math.min(Math.max(length, this.readAhead), this.size - position);
    while (this.windowLength < wanted) {
      const read = readSync(
        this.fd,
        this.window,
        this.windowLength,
        wanted - this.windowLength,
        position + this.windowLength,
      );
      if (read === 0) throw new PastTheEnd();
      this.windowLength += read;
    }
    return this.window.subarray(0, length);
  }

  /** Read function for yauzl. Fills `buffer` before it returns. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    try {
      this.slice(position, length).copy(buffer, offset);
    } catch (error) {
      callback(error as Error);
      return;
    }
    callback(null);
  }

  closeFile(): void {
    closeSync(this.fd);
  }
}

/** A header or content lies beyond the end of the archive. */
export class PastTheEnd extends Error {}
