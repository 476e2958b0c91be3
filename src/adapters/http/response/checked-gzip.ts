import { once } from 'node:events';
import { createGunzip, gunzipSync } from 'node:zlib';

/** Max. unpacked bytes of a file that is inflated on this thread: handing it to another one takes longer. */
const MAX_INFLATED_HERE = 64 * 1024;

/**
 * Inflates a gzip file of one member, and compares the result with the CRC-32 and the size in its trailer.
 * @throws an error of zlib when they differ
 */
export async function assertIntact(file: Buffer): Promise<void> {
  const size = file.readUInt32LE(file.length - 4);
  // In one step, and never more than was announced.
  if (size <= MAX_INFLATED_HERE)
    gunzipSync(file, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) });
  else for await (const _ of checkedGzip([file]));
}

/**
 * Passes on a gzip file of one member, and inflates it meanwhile. The last chunk, which holds the trailer, only comes when
 * CRC-32 and size are right: without it nobody takes the rest for a whole file. Chunks are copies.
 * @throws an error of zlib when they differ
 */
export async function* checkedGzip(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const check = createGunzip({ chunkSize: MAX_INFLATED_HERE }).resume();
  const ended = once(check, 'end');
  // Awaited below; it may fail before.
  ended.catch(() => {});
  let last: Uint8Array | undefined;
  try {
    for await (const chunk of chunks) {
      if (last !== undefined) yield last;
      last = Buffer.from(chunk);
      if (!check.write(last)) await Promise.race([once(check, 'drain'), ended]);
    }
    check.end();
    await ended;
  } finally {
    check.destroy();
  }
  if (last !== undefined) yield last;
}
