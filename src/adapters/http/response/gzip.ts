import { PassThrough, pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

/** Compresses a buffer. */
export const gzipped: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

/** Compresses a stream. */
export function gzippedStream(body: Readable): Readable {
  // `pipeline` ends both streams when either fails or the client disconnects; Koa sees that on the last one.
  return pipeline(body, createGzip(), new PassThrough(), () => {});
}
