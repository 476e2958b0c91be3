import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { constants, crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { TestServer } from '../../support/server.js';
import { writeZip } from '../../support/zip-writer.js';

const PAGE = 'A page about pages. '.repeat(500);
/** More than is kept in memory, and deflated more than is read at once. */
const INDEX = randomBytes(600_000).toString('base64').repeat(2);

/** As no `gzip` would do it, so that one sees where the bytes come from. */
const oddly = (text: string) => deflateRawSync(text, { strategy: constants.Z_HUFFMAN_ONLY });

function wrapped(text: string): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(text), 0);
  trailer.writeUInt32LE(Buffer.byteLength(text), 4);
  return Buffer.concat([Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff), oddly(text), trailer]);
}

describe('A page stored deflated in the archive', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const deflated = (name: string, content: string) => ({ name, content, data: oddly(content) });
    const archive = writeZip([
      deflated('site/guide/page.html', PAGE),
      deflated('site/searchindex.js', INDEX),
      { name: 'site/stored.html', content: PAGE, method: 0 },
      { name: 'site/page.css.gz', content: gzipSync('body {}') },
      deflated('site/page.css', PAGE),
    ]);
    const response = await server.upload('a-1.0-docs.zip', archive);
    assert.equal(response.status, 201, await response.text());
  });
  after(() => server.close());

  const ask = async (path: string, method = 'GET') => {
    const answer = await server.raw(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    );
    const end = answer.indexOf('\r\n\r\n') + 4;
    const head = answer.slice(0, end);
    const length = Number(/^Content-Length: (\d+)/im.exec(head)?.[1]);
    const encoding = /^Content-Encoding: (.*)/im.exec(head)?.[1];
    return { head, length, encoding, body: Buffer.from(answer.slice(end), 'latin1') };
  };
  const generation = async () => join(server.docs, await readlink(join(server.docs, 'a-1.0')), '..');

  for (const [what, path, text] of [
    ['a small page', '/a-1.0/guide/page', PAGE],
    ['a page too large for the memory cache', '/a-1.0/searchindex.js', INDEX],
  ] as const) {
    it(`is sent as stored: ${what}`, async () => {
      for (const time of ['first', 'second', 'third']) {
        const { body, length, encoding } = await ask(path);
        assert.equal(encoding, 'gzip', time);
        assert.ok(body.equals(wrapped(text)), time);
        assert.equal(gunzipSync(body).toString(), text);
        assert.equal(length, body.length);
      }
      const head = await ask(path, 'HEAD');
      assert.equal(head.length, wrapped(text).length);
      assert.equal(head.body.length, 0);
    });
  }

  it('is sent inflated to a client without gzip, and in parts', async () => {
    const whole = await server.get('/a-1.0/searchindex.js', { 'Accept-Encoding': 'identity' });
    assert.equal(await whole.text(), INDEX);
    const part = await server.get('/a-1.0/searchindex.js', { Range: 'bytes=5-9' });
    assert.equal(part.headers.get('content-encoding'), null);
    assert.equal(await part.text(), INDEX.slice(5, 10));
  });

  it('is compressed on sending when the archive stores it uncompressed', async () => {
    const { body, encoding } = await ask('/a-1.0/stored.html');
    assert.equal(encoding, 'gzip');
    assert.equal(gunzipSync(body).toString(), PAGE);
  });

  it("leaves an author's .gz alone as a file of its own", async () => {
    const { body, encoding } = await ask('/a-1.0/page.css.gz');
    assert.equal(encoding, undefined);
    assert.equal(gunzipSync(body).toString(), 'body {}');
    assert.equal(gunzipSync((await ask('/a-1.0/page.css')).body).toString(), PAGE);
  });

  it('adds nothing to the list of files, and no page', async () => {
    const list = await (await server.get('/a-1.0/')).text();
    const links = [...list.matchAll(/href="([^"/:]+(?:\/[^"/]+)*)"/g)].map((match) => match[1]);
    const expected = ['guide/page.html', 'page.css', 'page.css.gz', 'searchindex.js', 'stored.html'];
    assert.deepEqual(links.filter((link) => expected.includes(link ?? '')).sort(), expected);
    for (const path of ['/a-1.0/guide/page.html.gz', '/a-1.0/archive-index', '/a-1.0/..%2farchive-index']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
  });

  describe('A page whose archive index is damaged', () => {
    let noted: Buffer;
    let file: string;
    before(async () => {
      file = join(await generation(), 'archive-index');
      noted = await readFile(file);
    });

    const damages: readonly [string, () => Promise<void>][] = [
      ['is truncated', () => truncate(file, Math.floor(noted.length / 2))],
      ['is empty', () => truncate(file, 0)],
      ['is all zeros', () => writeFile(file, Buffer.alloc(noted.length))],
      [
        'has a bit turned',
        () =>
          writeFile(
            file,
            noted.map((byte, at) => (at === 50 ? byte ^ 1 : byte)),
          ),
      ],
    ];
    for (const [damage, inflict] of damages) {
      it(`is compressed on sending when the index ${damage}`, async () => {
        await inflict();
        // A server that has not read it yet.
        const other = await TestServer.start({ docs: server.docs });
        try {
          const page = await other.get('/a-1.0/guide/page', { 'Accept-Encoding': 'gzip' });
          assert.equal(page.headers.get('content-encoding'), 'gzip');
          assert.equal(await page.text(), PAGE);
        } finally {
          await other.close();
        }
      });
    }
  });
});
