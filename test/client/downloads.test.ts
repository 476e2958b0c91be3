import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ClientError, LecternClient } from '../../src/adapters/cli/client/index.js';
import { zipOf } from '../support/zip-writer.js';
import { lectern, workplace } from './lectern.js';

const inside = zipOf({ 'inside.html': 'an archive in the archive' });
const archive = zipOf({
  'index.html': 'a page '.repeat(100),
  'inside.zip': inside,
  'z.html': 'z'.repeat(100),
});
const sha256 = createHash('sha256').update(archive).digest('hex');
const HALF = archive.subarray(0, archive.length / 2);
/** Cut in the middle; without the last byte; where an archive inside ends. */
const CUT = [HALF, archive.subarray(0, -1), archive.subarray(0, archive.indexOf(inside) + inside.length)];

/** A server that ends its answers by closing the connection, without a length. It sends the last body again and again. */
async function closingServer(t: TestContext, bodies: readonly Uint8Array[], headers: readonly string[] = []) {
  let asked = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const body = bodies[Math.min(asked, bodies.length - 1)] ?? assert.fail();
      asked += 1;
      socket.write(['HTTP/1.1 200 OK', 'Connection: close', ...headers, '', ''].join('\r\n'));
      socket.end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** Downloads into an empty directory, without waiting between the tries. */
async function download(t: TestContext, url: string) {
  const place = await workplace(t);
  const client = new LecternClient({ url, wait: async () => {} });
  const failure = await client.download('a', '1.0', { target: join(place, 'a.zip') }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const files = await readdir(place);
  return { failure, files, content: files.length === 0 ? undefined : await readFile(join(place, 'a.zip')) };
}

describe('A download without a length', () => {
  for (const [number, body] of CUT.entries()) {
    it(`is incomplete without a hash when its end is missing, and leaves no file (${number})`, async (t) => {
      const { url, asked } = await closingServer(t, [body]);
      const { failure, files } = await download(t, url);
      assert.ok(failure instanceof ClientError);
      assert.equal(failure.problem, 'unreachable');
      assert.match(failure.message, /^The download is incomplete or not an archive/);
      assert.deepEqual(files, []);
      assert.equal(asked(), 5);
    });
  }

  it('is incomplete when a proxy has compressed a truncated body', async (t) => {
    const { url } = await closingServer(t, [gzipSync(archive).subarray(0, -40)], ['Content-Encoding: gzip']);
    const { failure, files } = await download(t, url);
    assert.ok(failure instanceof ClientError);
    assert.deepEqual(files, []);
  });

  it('is complete with the end of an archive, also compressed by a proxy', async (t) => {
    for (const [body, headers] of [
      [archive, []],
      [gzipSync(archive), ['Content-Encoding: gzip']],
    ] as const) {
      const { url } = await closingServer(t, [body], headers);
      assert.deepEqual((await download(t, url)).content, archive);
    }
  });

  for (const etag of [`W/"${sha256}"`, `"${sha256}-gzip"`]) {
    it(`is compared with the hash in ${etag.replace(sha256, '…')}, an ETag of a compressing proxy`, async (t) => {
      const right = await closingServer(t, [archive], [`ETag: ${etag}`]);
      assert.deepEqual((await download(t, right.url)).content, archive);
      const other = Buffer.from(archive);
      other.writeUInt8(1, 40);
      const wrong = await closingServer(t, [other], [`ETag: ${etag}`]);
      const { failure, files } = await download(t, wrong.url);
      assert.match(String(failure), /The downloaded archive is damaged/);
      assert.deepEqual(files, []);
    });
  }

  it('is retried by the command, which prints the reason', async (t) => {
    const place = await workplace(t);
    const { url } = await closingServer(t, [HALF, archive]);
    const { code, notes } = await lectern(['download', 'a', '1.0', '--url', url, '-o', 'a.zip'], {
      cwd: place,
    });
    assert.equal(code, 0);
    assert.match(notes, /The download is incomplete or not an archive/);
    assert.deepEqual(await readFile(join(place, 'a.zip')), archive);
    assert.deepEqual(await readdir(place), ['a.zip']);
  });
});
