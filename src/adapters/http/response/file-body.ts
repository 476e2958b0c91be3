import { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '../../../application/index.js';

/**
 * Response body that streams a stored file. A store's chunk is valid until the next one is requested, so each is
 * written before that; the destination must be done with a chunk when it calls back, as responses are.
 */
export class FileBody extends Readable {
  constructor(
    private readonly file: StoredFile,
    private readonly range: ByteRange | undefined,
  ) {
    super();
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.send(destination).then(
      // `resume`: the `end` event needs a reader.
      () => this.resume().push(null),
      (error: Error) => this.destroy(error),
    );
    return destination;
  }

  /** Unused: `pipe` writes all data. */
  override _read(): void {}

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.file.close().then(
      () => done(error),
      (cause: Error) => done(error ?? cause),
    );
  }

  private async send(destination: NodeJS.WritableStream): Promise<void> {
    for await (const chunk of this.file.stream(this.range)) {
      if (this.destroyed) return;
      await written(destination, chunk);
    }
  }
}

function written(destination: NodeJS.WritableStream, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    destination.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
