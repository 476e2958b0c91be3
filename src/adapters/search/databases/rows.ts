import { crc32 } from 'node:zlib';
import type { PageKind } from '../../../formats/html/index.js';

const CHECKSUM = 4;

/** What is known of a page without its text, and where that is. */
export interface PageRow {
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  readonly language: string | undefined;
  readonly block: number;
  readonly place: number;
  /** Number of its way. 0: it has none. */
  readonly way: number;
}

export function packPageRow({ path, title, kind, language, block, place, way }: PageRow): Buffer {
  return Buffer.from(JSON.stringify([path, title, kind, language ?? null, block, place, way]));
}

export function unpackPageRow(packed: Buffer): PageRow {
  const [path, title, kind, language, block, place, way] = JSON.parse(packed.toString());
  return { path, title, kind, language: language ?? undefined, block, place, way };
}

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
