import { bytesOf } from '../../../application/index.js';

/** Max. bodies that are read into memory at once; further ones wait. Each may have 1 MiB. */
const MAX_READING = 16;

const waiting: (() => void)[] = [];
let reading = 0;

/**
 * Reads a small body into a buffer, which costs less than a stream, and can be cached. Only a few at a time: the bodies
 * of thousands of connections must not be in memory before anybody has counted them as unread.
 */
export async function bufferOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  if (reading >= MAX_READING) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    const { buffer } = await bytesOf(chunks);
    return Buffer.from(buffer);
  } finally {
    const next = waiting.shift();
    if (next === undefined) reading -= 1;
    else next();
  }
}
