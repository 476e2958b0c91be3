import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { publicDirectory } from '../../src/adapters/web/index.js';
import { TestServer } from '../support/server.js';

interface Entry {
  readonly path: string;
  readonly file: File;
}
type PackZip = (
  files: readonly Entry[],
  report: (bytes: number) => void,
  signal: AbortSignal,
) => Promise<Blob>;

// The page's own module: Node has the same streams.
const { packZip } = (await import(`${publicDirectory}/-/assets/upload-zip.js`)) as { packZip: PackZip };
const pack = (contents: Readonly<Record<string, Buffer>>, report: (bytes: number) => void = () => {}) =>
  packZip(
    Object.entries(contents).map(([path, bytes]) => ({
      path,
      file: new File([new Uint8Array(bytes)], path, { lastModified: Date.UTC(2026, 1, 3) }),
    })),
    report,
    new AbortController().signal,
  );

describe('The zip that the upload page packs', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('passes every check of the server, and holds the files byte for byte', async () => {
    const contents = {
      'index.html': Buffer.from('<h1>Hello</h1>'),
      'empty.txt': Buffer.alloc(0),
      'noise.bin': randomBytes(300_000),
      'zeros.bin': Buffer.alloc(2_000_000),
      'a/b/c/deep.css': Buffer.from('p { color: red }'.repeat(1_000)),
      'straße/日本語.html': Buffer.from('names in UTF-8'),
    };
    let reported = 0;
    const archive = await pack(contents, (bytes) => {
      assert.ok(bytes >= reported);
      reported = bytes;
    });
    assert.equal(
      reported,
      Object.values(contents).reduce((sum, { length }) => sum + length, 0),
    );
    assert.ok(archive.size < 400_000, 'what can be compressed is compressed');
    const answer = await server.upload('packed-1.0-docs.zip', Buffer.from(await archive.arrayBuffer()));
    assert.equal(answer.status, 201, await answer.text());
    for (const [path, bytes] of Object.entries(contents)) {
      const page = await server.get(`/packed-1.0/${path.split('/').map(encodeURIComponent).join('/')}`);
      assert.deepEqual(Buffer.from(await page.arrayBuffer()), bytes, path);
    }
  });

  it('is refused where the format, as it is written here, has no room', async () => {
    const file = new File([], 'x');
    const files = Array.from({ length: 65_536 }, (_, index) => ({ path: `${index}`, file }));
    await assert.rejects(
      packZip(files, () => {}, new AbortController().signal),
      /65,536 files/,
    );
  });

  it('is given up when the upload is cancelled', async () => {
    const entry = { path: 'x', file: new File(['x'], 'x') };
    await assert.rejects(
      packZip([entry], () => {}, AbortSignal.abort()),
      { name: 'AbortError' },
    );
  });
});
