import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32, deflateRawSync, gunzipSync } from 'node:zlib';
import { bytesOf } from '../../src/application/index.js';
import type { IndexedFile } from '../../src/formats/index.js';
import { GzipFromArchive, isWorthSending } from '../../src/node/archived-content.js';

const TEXT = Buffer.from('The quick brown fox. '.repeat(50));
const DATA = deflateRawSync(TEXT);
const FILE: IndexedFile = {
  path: 'fox.txt',
  offset: 7,
  compressedSize: DATA.length,
  size: TEXT.length,
  method: 'deflated',
  crc32: crc32(TEXT),
};

describe('Gzip out of an archive', () => {
  it("has the archive's deflated data between a header and a trailer", async () => {
    let closed = 0;
    const archive = Buffer.concat([Buffer.alloc(7), DATA, Buffer.alloc(9)]);
    const gzip = new GzipFromArchive(
      FILE,
      async function* ({ start, end }) {
        yield archive.subarray(start, end + 1);
      },
      () => {},
      async () => {
        closed += 1;
      },
    );
    const bytes = await bytesOf(gzip.stream());
    assert.equal(bytes.length, gzip.size);
    assert.deepEqual(gunzipSync(bytes), TEXT);
    assert.equal(closed, 1);
  });

  it('is sent when it saves more than a tenth', () => {
    const saving = (compressedSize: number) => isWorthSending({ ...FILE, size: 1_000, compressedSize });
    assert.deepEqual([899, 900].map(saving), [true, false]);
    assert.equal(isWorthSending({ ...FILE, method: 'stored' }), false);
  });
});
