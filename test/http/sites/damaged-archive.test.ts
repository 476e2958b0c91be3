import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readlink, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { constants, deflateRawSync, gunzipSync } from 'node:zlib';
import { TestServer } from '../../support/server.js';
import { writeZip } from '../../support/zip-writer.js';

const PAGE = 'A page about pages. '.repeat(500);
/** Deflated less, and unpacked more, than is kept in memory. */
const MEDIUM = `${PAGE.repeat(120)}${randomBytes(20_000).toString('hex')}`;
/** Deflated more than is kept in memory. */
const LARGE = randomBytes(1_500_000).toString('hex');
const FILES = { 'page.html': PAGE, 'other.html': `${PAGE}!`, 'medium.html': MEDIUM, 'large.js': LARGE };
const NAMES = Object.keys(FILES) as (keyof typeof FILES)[];

/** Takes as many bytes in the archive as `LARGE`, and can be inflated as well. */
const SWAPPED = LARGE.replace(/(.*?)(0)(f)/s, '$1$3$2');

/** As no `gzip` would do it, so that one sees where the bytes come from. */
const oddly = (text: string) => deflateRawSync(text, { strategy: constants.Z_HUFFMAN_ONLY });

/** A server with one version. */
async function serverWithSite(t: TestContext, cacheBytes?: number) {
  const server = await TestServer.start(cacheBytes === undefined ? {} : { cacheBytes });
  t.after(() => server.close());
  const zip = writeZip(
    Object.entries(FILES).map(([name, content]) => ({ name, content, data: oddly(content) })),
  );
  const answer = await server.upload('a-1.0-docs.zip', zip);
  assert.equal(answer.status, 201, await answer.text());
  const archive = join(server.docs, await readlink(join(server.docs, 'a-1.0')), '../archive.zip');

  const change = async (revise: (bytes: Buffer) => void) => {
    const { atime, mtime } = await stat(archive);
    const bytes = await readFile(archive);
    revise(bytes);
    await writeFile(archive, bytes);
    await utimes(archive, atime, mtime);
  };

  /** Flips a bit of the archive in the middle of what it holds of each file, as a disk might. */
  const rot = () =>
    change((bytes) => {
      for (const name of NAMES) {
        const data = oddly(FILES[name]);
        const at = bytes.indexOf(data.subarray(0, 100)) + (data.length >> 1);
        bytes[at] = (bytes[at] ?? 0) ^ 0x10;
      }
    });

  /** Changes one character of the large file, so that only its CRC-32 is wrong. */
  const swap = () =>
    change((bytes) => {
      const [right, wrong] = [oddly(LARGE), oddly(SWAPPED)];
      assert.equal(right.length, wrong.length);
      wrong.copy(bytes, bytes.indexOf(right.subarray(0, 100)));
    });

  /** Asks for a file as gzip, and tells how much of the announced body came. */
  const ask = async (name: string) => {
    const answer = await server.raw(
      `GET /a-1.0/${name} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`,
    );
    const end = answer.indexOf('\r\n\r\n') + 4;
    const [head, body] = [answer.slice(0, end), answer.slice(end)];
    const length = /^Content-Length: (\d+)/im.exec(head)?.[1];
    const isWhole = length === undefined ? body.endsWith('\r\n0\r\n\r\n') : body.length === Number(length);
    assert.match(head, /^HTTP\/1\.1 200 /);
    assert.match(head, /^Content-Encoding: gzip/im);
    return { isWhole, body: Buffer.from(body, 'latin1') };
  };

  const textOf = async (name: string) => {
    const response = await server.get(`/a-1.0/${name}`, { 'Accept-Encoding': 'gzip' });
    assert.equal(response.headers.get('content-encoding'), 'gzip');
    return response.text();
  };
  const complaints = () =>
    server.log.filter((line): line is Complaint => /archive is damaged/.test((line as Complaint).message));
  return { server, archive, zip, rot, swap, ask, textOf, complaints };
}

interface Complaint {
  readonly message: string;
  readonly version: string;
  readonly archive: string;
}

describe('A docs directory with a wrong byte in an archive, with its old time of change,', () => {
  for (const cacheBytes of [undefined, 0]) {
    const memory = cacheBytes === 0 ? 'without' : 'with';
    it(`serves every page correctly as gzip, ${memory} a cache in memory, and logs the archive once`, async (t) => {
      const { rot, textOf, complaints, archive } = await serverWithSite(t, cacheBytes);
      await rot();
      for (const name of ['page.html', 'medium.html', 'page.html', 'other.html', 'medium.html'] as const) {
        assert.equal(await textOf(name), FILES[name], name);
      }
      assert.equal(complaints().length, 1);
      const [{ message, version, archive: named } = assert.fail()] = complaints();
      // Not `--repair`, which unpacks sites from archives.
      assert.match(message, /lectern verify$/);
      assert.deepEqual([version, named], ['a-1.0', archive]);
    });
  }

  for (const [what, damage] of [
    ['cannot be inflated', 'rot'],
    ['is only told by its CRC-32', 'swap'],
  ] as const) {
    it(`aborts a large response before the end of its gzip, and serves it correctly the next time, when it ${what}`, async (t) => {
      const site = await serverWithSite(t);
      await site[damage]();
      const { isWhole, body } = await site.ask('large.js');
      assert.equal(isWhole, false);
      assert.throws(() => gunzipSync(body));
      for (const _ of ['second', 'third']) assert.equal(await site.textOf('large.js'), LARGE);
      assert.equal(site.complaints().length, 1);
    });
  }

  it('caches no wrong bytes: pages read before the damage stay correct', async (t) => {
    const { rot, textOf, complaints } = await serverWithSite(t);
    assert.equal(await textOf('page.html'), PAGE);
    await rot();
    assert.equal(await textOf('page.html'), PAGE);
    assert.equal(complaints().length, 0);
  });

  it("sends the archive's bytes again once it was restored, without a restart", async (t) => {
    const { rot, ask, archive, zip } = await serverWithSite(t, 0);
    const right = (await ask('page.html')).body;
    await rot();
    const other = (await ask('page.html')).body;
    assert.notDeepEqual(other, right);
    assert.equal(gunzipSync(other).toString(), PAGE);
    await writeFile(archive, zip);
    assert.deepEqual((await ask('page.html')).body, right);
  });

  it('serves pages correctly from a truncated archive', async (t) => {
    const { textOf, complaints, archive } = await serverWithSite(t);
    await truncate(archive, 50);
    assert.equal(await textOf('page.html'), PAGE);
    assert.equal(complaints().length, 1);
  });
});
