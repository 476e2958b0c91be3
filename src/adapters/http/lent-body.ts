import { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '../../application/index.js';

const PIECE_BYTES = 256 * 1024;

/** A file whose bytes can be read into memory of the caller's. */
export type Lendable = Pick<StoredFile, 'close'> & Required<Pick<StoredFile, 'read'>>;

/** Whether a body is better sent in lent pieces: in one piece it takes no more memory than it has bytes. */
export function isLendable(file: StoredFile, length: number): file is StoredFile & Lendable {
  return file.read !== undefined && length > PIECE_BYTES;
}

/**
 * A large file on its way into a response, through one piece of memory. New memory for each chunk makes V8 see tens of
 * megabytes come and go and mark its whole heap again and again, which leaves a third of the rate. Whatever it is
 * piped to has to be done with a chunk when it calls back, as responses and sockets are.
 */
export class LentBody extends Readable {
  constructor(
    private readonly file: Lendable,
    private readonly range: ByteRange,
  ) {
    super();
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.send(destination).then(
      // The end reaches those who wait for it only when somebody reads.
      () => this.resume().push(null),
      (error: Error) => this.destroy(error),
    );
    return destination;
  }

  /** Everything goes by way of `pipe`. */
  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.file.close().then(
      () => done(error),
      (cause: Error) => done(error ?? cause),
    );
  }

  private async send(destination: NodeJS.WritableStream): Promise<void> {
    const memory = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const { start, end } = this.range;
    for (let at = start; at <= end; ) {
      const piece = memory.subarray(0, end + 1 - at);
      const bytes = await this.file.read(piece, at);
      if (bytes === 0) throw new Error('A file ended before the bytes that were announced');
      at += bytes;
      await written(destination, piece.subarray(0, bytes));
    }
  }
}

function written(destination: NodeJS.WritableStream, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}
