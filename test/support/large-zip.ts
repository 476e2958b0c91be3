import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** An entry whose content is one block, many times over. */
export interface LargeEntry {
  readonly name: string;
  readonly block: Buffer;
  readonly times: number;
  readonly method: 'stored' | 'deflated';
}

/** The end of a deflate stream: a last block with nothing in it. */
const LAST_BLOCK = Buffer.of(3, 0);

/** Writes an archive of any size (below 4 GiB) to the disk, a block at a time. */
export async function writeLargeZip(file: string, entries: readonly LargeEntry[]): Promise<void> {
  const out = createWriteStream(file);
  const directory: Buffer[] = [];
  let offset = 0;
  const write = async (bytes: Buffer) => {
    offset += bytes.length;
    if (!out.write(bytes)) await once(out, 'drain');
  };
  for (const { name, block, times, method } of entries) {
    // A full flush ends on a byte and remembers nothing, so the same bytes may follow again and again.
    const part = method === 'stored' ? block : deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
    const end = method === 'stored' ? Buffer.alloc(0) : LAST_BLOCK;
    let crc = 0;
    for (let time = 0; time < times; time++) crc = crc32(block, crc);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(method === 'stored' ? 0 : 8, 4);
    header.writeUInt16LE(0x21, 8);
    header.writeUInt32LE(crc, 10);
    header.writeUInt32LE(part.length * times + end.length, 14);
    header.writeUInt32LE(block.length * times, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0', 'latin1'), header, central, Buffer.from(name));
    await write(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, Buffer.from(name)]));
    for (let time = 0; time < times; time++) await write(part);
    await write(end);
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(offset, 16);
  await write(records);
  await write(end);
  out.end();
  await once(out, 'close');
}
