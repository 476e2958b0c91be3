import { PassThrough, pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

/** Compresses what is in memory. */
export const gzipped: (bytes: Buffer) => Promise<Buffer> = promisify(gzip);

/** Compresses a body on its way out. */
export function gzippedStream(body: Readable): Readable {
  // `pipeline` ends both streams when either fails or the client goes; Koa sees the outcome on the last one.
  return pipeline(body, createGzip(), new PassThrough(), () => {});
}
