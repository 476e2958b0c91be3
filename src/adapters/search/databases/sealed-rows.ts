import { crc32 } from 'node:zlib';

const CHECKSUM = 4;

/**
 * The content of a row with a checksum of the content and the row's id in front of it. SQLite notices a page of a file that
 * makes no sense, but gives damaged text as if it were right.
 */
export function sealed(id: number, content: Uint8Array): Buffer {
  const checksum = Buffer.alloc(CHECKSUM);
  checksum.writeUInt32LE(crc32(content, id));
  return Buffer.concat([checksum, content]);
}

/** @throws RangeError when the content is not what was sealed for this id */
export function unsealed(id: number, stored: Buffer): Buffer {
  const content = stored.subarray(CHECKSUM);
  if (stored.length < CHECKSUM || crc32(content, id) !== stored.readUInt32LE()) {
    throw new RangeError(`the checksum of row ${id} is wrong`);
  }
  return content;
}
