import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { TestServer } from '../../support/server.js';

/** Random, so that no two pages have as much as a line in common. */
const text = (bytes: number) => randomBytes(bytes / 2).toString('hex');
const LARGE = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`large-${n}.html`, text(900_000)]));
const SMALL = Object.fromEntries(Array.from({ length: 24 }, (_, n) => [`small-${n}.html`, text(6_000)]));
const PAGES: Readonly<Record<string, string>> = { ...LARGE, ...SMALL };

/** Returns head and body of each answer on a connection, up to its end. */
function answersIn(bytes: Buffer): { head: string; body: Buffer }[] {
  const answers: { head: string; body: Buffer }[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const start = rest.indexOf('\r\n\r\n') + 4;
    const head = rest.subarray(0, start).toString('latin1');
    const end = start + Number(/^Content-Length: (\d+)/im.exec(head)?.[1]);
    answers.push({ head, body: rest.subarray(start, end) });
    rest = rest.subarray(end);
  }
  return answers;
}

describe('A page that many readers request at once', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    assert.equal((await server.upload('a-1.0-docs.zip', PAGES)).status, 201);
  });
  after(() => server.close());

  const requestFor = (name: string, more = '') => `GET /a-1.0/${name} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const readAll = (names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => [name, await (await server.get(`/a-1.0/${name}`)).text()] as const),
    );

  it('reaches a reader who requests everything first and reads later, whatever others read meanwhile', async () => {
    const names = Object.keys(PAGES);
    // Eight on each connection: one more would end it.
    const slow = Array.from({ length: Math.ceil(names.length / 8) }, (_, number) => {
      const asked = names.slice(number * 8, number * 8 + 8);
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1').pause();
      const last = asked.length - 1;
      socket.write(
        asked.map((name, at) => requestFor(name, at < last ? '' : 'Connection: close\r\n')).join(''),
      );
      return { asked, socket };
    });
    for (let round = 0; round < 3; round += 1) {
      for (const [name, page] of await readAll(Object.keys(SMALL))) assert.ok(page === SMALL[name], name);
    }
    for (const { asked, socket } of slow) {
      const bytes: Buffer[] = [];
      for await (const chunk of socket) bytes.push(chunk as Buffer);
      const answers = answersIn(Buffer.concat(bytes));
      assert.equal(answers.length, asked.length);
      for (const [at, { body }] of answers.entries()) {
        assert.ok(body.equals(Buffer.from(PAGES[asked[at] ?? ''] ?? '')), asked[at]);
      }
    }
  });

  it('is correct for remaining readers when others leave in the middle of it', async () => {
    const names = Object.keys(LARGE);
    for (let round = 0; round < 3; round += 1) {
      const leaving = names.map((name) => {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        socket.on('error', () => {}).write(requestFor(name).repeat(4));
        return socket;
      });
      await Promise.all(leaving.map((socket) => new Promise((resolve) => socket.once('data', resolve))));
      const staying = readAll(names);
      for (const socket of leaving) socket.destroy();
      for (const [name, page] of await staying) assert.ok(page === LARGE[name], name);
    }
  });
});

describe('A page that was requested in one encoding first', () => {
  const page = text(6_000);
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('a-1.0-docs.zip', { 'page.html': page, 'tiny.html': 'tiny', 'picture.png': page });
  });
  after(() => server.close());

  const ask = async (path: string, more: string) => {
    const answer = await server.raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
    const start = answer.indexOf('\r\n\r\n') + 4;
    const body = Buffer.from(answer.slice(start), 'latin1');
    const head = answer.slice(0, start);
    return { head, text: /^Content-Encoding: gzip/im.test(head) ? gunzipSync(body).toString() : `${body}` };
  };
  const GZIP = 'Accept-Encoding: gzip\r\n';

  it('is served from the cache in every other encoding too, whole and in parts', async () => {
    for (const more of [GZIP, GZIP, GZIP, '', GZIP, '', 'Range: bytes=10-19\r\n', GZIP, '']) {
      const isPart = more.startsWith('Range');
      const { head, text } = await ask('/a-1.0/page.html', more);
      assert.match(head, isPart ? /^HTTP\/1.1 206/ : /^HTTP\/1.1 200/);
      assert.equal(/^Content-Encoding: gzip/im.test(head), more === GZIP);
      assert.equal(text, isPart ? page.slice(10, 20) : page);
    }
  });

  it('is served in parts when only its compressed form is cached', async () => {
    for (let time = 0; time < 3; time += 1) await ask('/a-1.0/page.html', GZIP);
    const { text } = await ask('/a-1.0/page.html', 'Range: bytes=0-4\r\n');
    assert.equal(text, page.slice(0, 5));
  });

  for (const [path, expected] of [
    ['/a-1.0/tiny.html', 'tiny'],
    ['/a-1.0/picture.png', page],
  ] as const) {
    it(`is sent uncompressed when it is small or an image: ${path}`, async () => {
      for (const more of [GZIP, '', GZIP, GZIP]) {
        const { head, text } = await ask(path, more);
        assert.doesNotMatch(head, /^Content-Encoding/im);
        assert.equal(text, expected);
      }
    });
  }

  it('has its own validator in each encoding', async () => {
    const etagOf = async (more: string) =>
      /^ETag: (.*)\r$/im.exec((await ask('/a-1.0/page.html', more)).head)?.[1] ?? '';
    const [plain, zipped] = [await etagOf(''), await etagOf(GZIP)];
    assert.notEqual(plain, zipped);
    for (const [more, etag, status] of [
      ['', plain, 304],
      [GZIP, zipped, 304],
      ['', zipped, 200],
      [GZIP, plain, 200],
    ] as const) {
      const { head } = await ask('/a-1.0/page.html', `${more}If-None-Match: ${etag}\r\n`);
      assert.match(head, new RegExp(`^HTTP/1.1 ${status}`));
    }
  });
});
