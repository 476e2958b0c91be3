import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openFilesBelow } from '../../support/open-files.js';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const MEGABYTE = 1024 * 1024;
/** More than the sockets of both sides and everything in between take before somebody reads. */
const HUGE = 64 * MEGABYTE;

describe('A large file', () => {
  const content = randomBytes(3 * MEGABYTE + 7);
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await mkdir(join(server.docs, 'hand-1.0'));
    await writeFile(join(server.docs, 'hand-1.0/film.bin'), content);
    await writeFile(join(server.docs, 'hand-1.0/huge.bin'), Buffer.alloc(HUGE, 'huge'));
    await server.upload('up-1.0-docs.zip', { 'index.html': 'x', 'film.bin': content });
    await server.shows('/hand-1.0/');
  });
  after(async () => server.close());

  const openFiles = async () =>
    (await openFilesBelow(server.docs)).filter((file) => file.endsWith('.bin')).length;

  const answerTo = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(server.url + path, resolve).on('error', reject);
    });

  for (const path of ['/hand-1.0/film.bin', '/up-1.0/film.bin']) {
    it(`is sent byte for byte, to several readers at once: ${path}`, async () => {
      const read = async () => Buffer.from(await (await server.get(path)).arrayBuffer());
      for (const bytes of await Promise.all(Array.from({ length: 8 }, read)))
        assert.ok(bytes.equals(content));
    });

    it(`serves any of its ranges: ${path}`, async () => {
      const last = content.length - 1;
      for (const [start, end] of [
        [0, 262_143],
        [0, 262_144],
        [1, 1_000_000],
        [262_144, last],
        [last, last],
      ] as const) {
        const answer = await server.get(path, { Range: `bytes=${start}-${end}` });
        assert.equal(answer.status, 206);
        assert.equal(answer.headers.get('content-length'), String(end - start + 1));
        const bytes = Buffer.from(await answer.arrayBuffer());
        assert.ok(bytes.equals(content.subarray(start, end + 1)), `${start}-${end}`);
      }
    });
  }

  it('is sent completely to a slow reader', async () => {
    const answer = await answerTo('/up-1.0/film.bin');
    const pieces: Buffer[] = [];
    for await (const piece of answer) {
      // Copied only later: memory that is lent twice would show here.
      await setImmediate();
      pieces.push(piece);
    }
    assert.ok(Buffer.concat(pieces).equals(content));
  });

  it('is followed by another request on its connection', async () => {
    const host = `Host: ${new URL(server.url).host}`;
    const answers = await server.raw(
      `GET /up-1.0/film.bin HTTP/1.1\r\n${host}\r\n\r\nGET /up-1.0/ HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(answers.match(/HTTP\/1\.1 200/g)?.length, 2);
    assert.ok(answers.endsWith('\r\n\r\nx'));
  });

  it('is closed when sent, and when its reader leaves', {
    skip: process.platform !== 'linux',
  }, async () => {
    for (let round = 0; round < 10; round++) {
      const answer = await answerTo('/hand-1.0/huge.bin');
      assert.ok((await openFiles()) > 0);
      answer.destroy();
    }
    await (await server.get('/hand-1.0/film.bin')).arrayBuffer();
    await until(async () => (await openFiles()) === 0);
  });

  it('ends the connection when it shrinks while being sent: nobody mistakes a part for the whole', async () => {
    const file = join(server.docs, 'hand-1.0/shrinking.bin');
    await writeFile(file, Buffer.alloc(HUGE, 'huge'));
    const answer = await answerTo('/hand-1.0/shrinking.bin');
    await truncate(file, MEGABYTE);
    await assert.rejects(async () => {
      for await (const _ of answer);
    }, /aborted/);
    await until(async () => (await openFiles()) === 0);
    assert.equal((await server.get('/up-1.0/')).status, 200);
  });
});
