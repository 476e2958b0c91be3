import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';
import { zipOf } from '../../support/zip-writer.js';

const ZIP = zipOf({ 'index.html': 'x' });

/** A multipart body with one part, whose disposition is written out. */
function form(disposition: string, content: Buffer = ZIP, boundary = 'b'): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`, 'latin1'),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

function upload(body: Buffer, headers = `Content-Length: ${body.length}\r\n`, boundary = 'b'): Buffer {
  const head =
    'POST /api/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Token: secret-admin\r\n' +
    `Content-Type: multipart/form-data; boundary=${boundary}\r\n${headers}\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

describe('The edge of HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('a-1.0-docs.zip');
  });
  after(async () => server.close());

  const statusOf = (answer: string) => Number(answer.split(' ')[1]);
  const bodyOf = (answer: string): Json => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));

  describe('Refused requests, which two readers could parse differently,', () => {
    const chunked = '1\r\nx\r\n0\r\n\r\n';
    const SHAPES: readonly [title: string, head: string][] = [
      ['both a length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`],
      ['two lengths that differ', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef'],
      ['a list of lengths', 'Content-Length: 5, 6\r\n\r\nabcdef'],
      ['a negative length', 'Content-Length: -5\r\n\r\n'],
      ['a signed length', 'Content-Length: +5\r\n\r\nabcde'],
      ['a hexadecimal length', 'Content-Length: 0x5\r\n\r\nabcde'],
      ['an unknown transfer coding', 'Transfer-Encoding: xchunked\r\n\r\n'],
      ['chunks that are not last', 'Transfer-Encoding: chunked, identity\r\n\r\n'],
      ['white space before a colon', 'Transfer-Encoding : chunked\r\n\r\n'],
      ['a folded header', `Transfer-Encoding:\r\n chunked\r\n\r\n${chunked}`],
      ['a bare line feed in a header', 'X-A: b\nTransfer-Encoding: chunked\r\n\r\n'],
      ['a NUL in a header', 'X-A: b\0c\r\n\r\n'],
      ['a chunk size that overflows', 'Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n'],
    ];
    for (const [title, rest] of SHAPES) {
      it(`include ${title}`, async () => {
        const before = await tree(server.docs);
        const answer = await server.raw(`POST /api/upload HTTP/1.1\r\nHost: x\r\n${rest}`);
        assert.ok([400, 401, 501].includes(statusOf(answer)), answer);
        assert.match(answer, /^Connection: close/im);
        assert.equal(answer.split('HTTP/1.1 ').length, 2, 'one answer, so no second request was seen');
        assert.deepEqual(await tree(server.docs), before);
      });
    }

    it('include a request without a host, and one with two', async () => {
      assert.equal(statusOf(await server.raw('GET / HTTP/1.1\r\n\r\n')), 400);
    });

    for (const size of [20_000, 2_000_000]) {
      it(`include headers of ${size / 1000} kB, whose response arrives although nobody reads all of them`, async () => {
        const answer = await server.raw(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(size)}\r\n\r\n`);
        assert.equal(statusOf(answer), 431);
        assert.equal(answer.split('HTTP/1.1 ').length, 2, answer);
      });
    }
  });

  it('discards an upload with too large a length when its client gives up', async () => {
    const before = await tree(server.docs);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.on('error', () => {});
    const body = form('form-data; name="file"; filename="lies-1.0-docs.zip"');
    socket.end(upload(body, `Content-Length: ${body.length + 10}\r\n`));
    socket.resume();
    await once(socket, 'close');
    await until(async () => isDeepStrictEqual(await tree(server.docs), before));
  });

  it('truncates a form with too small a length, and reads no second request from the rest', async () => {
    const body = form('form-data; name="file"; filename="lies-1.0-docs.zip"');
    const answer = await server.raw(upload(body, `Content-Length: ${body.length - 20}\r\n`));
    assert.equal(statusOf(answer), 400);
    assert.equal(answer.split('HTTP/1.1 ').length, 2);
    assert.equal((await server.get('/lies-1.0/')).status, 404);
  });

  it('discards an upload that ends at any tenth of its body', async () => {
    const before = await tree(server.docs);
    const content = zipOf({ 'index.html': 'x'.repeat(100_000), 'b.bin': Buffer.alloc(300_000, 1) });
    const body = form('form-data; name="file"; filename="cut-1.0-docs.zip"', content);
    for (let tenth = 0; tenth < 10; tenth++) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.on('error', () => {});
      const part = upload(body).subarray(
        0,
        upload(body).length - Math.ceil((body.length * (10 - tenth)) / 10),
      );
      await new Promise<void>((resolve) => socket.write(part, () => resolve()));
      socket.destroy();
    }
    await until(async () => isDeepStrictEqual(await tree(server.docs), before));
    assert.equal((await server.upload('cut-1.0-docs.zip', content)).status, 201);
  });

  const DISPOSITIONS: readonly [disposition: string, status: number, outcome: string][] = [
    [`form-data; name="file"; filename*=UTF-8''ext-1.0-docs.zip`, 201, 'ext-1.0'],
    [
      `form-data; name="file"; filename="both-1.0-docs.zip"; filename*=UTF-8''star-1.0-docs.zip`,
      201,
      'star-1.0',
    ],
    [`form-data; name="file"; filename*=UTF-8''..%2F..%2Fup-1.0-docs.zip`, 201, 'up-1.0'],
    [`form-data; name="file"; filename*=UTF-8''a%00-1.0-docs.zip`, 400, 'invalid_filename'],
    [`form-data; name="file"; filename*=UTF-8''a%0d%0ab-1.0-docs.zip`, 400, 'invalid_filename'],
    ['form-data; name=file; filename=token-1.0-docs.zip', 201, 'token-1.0'],
    ['form-data; name="file"; filename="q\\"uote-1.0-docs.zip"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="a%22b-1.0-docs.zip"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="a%0D%0ASet-Cookie: x-1.0-docs.zip"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="/etc/passwd"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="..\\..\\win-1.0-docs.zip"', 201, 'win-1.0'],
    ['form-data; name="file"; filename=".hidden-1.0-docs.zip"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="\xe4-1.0-docs.zip"', 400, 'invalid_filename'],
    [`form-data; name="file"; filename="${'a'.repeat(8_000)}-1.0-docs.zip"`, 400, 'invalid_filename'],
    ['form-data; name="file"; filename="__proto__-1.0-docs.zip"', 400, 'invalid_filename'],
    ['form-data; name="file"; filename="constructor-1.0-docs.zip"', 201, 'constructor-1.0'],
    ['form-data; name="file"; filename=""', 400, 'invalid_request'],
    ['form-data; name="FILE"; filename="case-1.0-docs.zip"', 400, 'invalid_request'],
    ['form-data; name="file[0]"; filename="index-1.0-docs.zip"', 400, 'invalid_request'],
    ['form-data; filename="noname-1.0-docs.zip"', 400, 'invalid_request'],
    ['attachment; name="file"; filename="attachment-1.0-docs.zip"', 400, 'invalid_request'],
  ];
  for (const [disposition, status, outcome] of DISPOSITIONS) {
    it(`reads a part with the header ${JSON.stringify(disposition.slice(0, 90))} as ${outcome}`, async () => {
      const answer = await server.raw(upload(form(disposition)));
      const body = bodyOf(answer);
      assert.deepEqual([statusOf(answer), body.error ?? body.directory], [status, outcome], body.message);
      assert.doesNotMatch(answer, /^Set-Cookie/im);
    });
  }

  it('finds boundaries of every length, wherever packets are split', async () => {
    for (const length of [1, 2, 69, 70, 200, 251, 252, 253]) {
      const boundary = 'b'.repeat(length);
      const name = `boundary-1.${length}-docs.zip`;
      const body = form(`form-data; name="file"; filename="${name}"`, ZIP, boundary);
      const answer = await server.raw(upload(body, undefined, boundary));
      assert.equal(statusOf(answer), 201, `${length}: ${answer}`);
    }
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.setNoDelay(true);
    for (const byte of upload(form('form-data; name="file"; filename="bytes-1.0-docs.zip"'))) {
      await new Promise<void>((resolve) => socket.write(Buffer.from([byte]), () => resolve()));
    }
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    assert.equal(statusOf(answer), 201);
  });

  it('refuses a thousand extra fields, and five thousand levels in a field', async () => {
    const field = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`;
    const file = form('form-data; name="file"; filename="fields-1.0-docs.zip"');
    for (const fields of [
      field('a').repeat(1_000),
      field(`a${'[b]'.repeat(60)}`),
      field('a[999999999]'),
      field('__proto__[x]'),
    ]) {
      const answer = await server.raw(upload(Buffer.concat([Buffer.from(fields), file])));
      if (statusOf(answer) === 201) assert.match(fields, /__proto__/);
      else assert.deepEqual([statusOf(answer), bodyOf(answer).error], [400, 'invalid_request']);
    }
    assert.equal(({} as Json).x, undefined);
  });

  it('ignores forged hosts and forwarded headers in redirects and addresses', async () => {
    for (const headers of [
      'Host: evil.org',
      'Host: x\r\nX-Forwarded-Host: evil.org\r\nX-Forwarded-Proto: https\r\nForwarded: host=evil.org',
      'Host: user@evil.org',
      'Host: "><script>',
    ]) {
      const redirect = await server.raw(`GET /a-1.0 HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
      assert.match(redirect, /^Location: \/a-1\.0\/\r$/m);
    }
    const help = await server.get('/help', { 'X-Forwarded-Host': 'evil.org', 'X-Forwarded-Proto': 'https' });
    assert.doesNotMatch(await help.text(), /evil\.org/);
    const page = await server.raw('GET /help HTTP/1.1\r\nHost: "><script>\r\nConnection: close\r\n\r\n');
    assert.doesNotMatch(page, /"><script>/);
  });

  it('applies forwarded headers of a trusted proxy', async () => {
    const trusting = await TestServer.start({ trustProxy: true });
    const headers = {
      'X-Forwarded-Host': 'docs.example.org',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '198.51.100.9, 203.0.113.7',
    };
    assert.match(await (await trusting.get('/help', headers)).text(), /https:\/\/docs\.example\.org/);
    await trusting.close();
    assert.equal((trusting.log[0] as { client: string }).client, '203.0.113.7');
  });

  it('reads an absolute request target by its path alone', async () => {
    const answer = await server.raw(
      'GET http://evil.org/a-1.0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.match(answer, /^Location: \/a-1\.0\/\r$/m);
  });

  it('refuses unknown methods, below the API as JSON', async () => {
    for (const [method, path, status] of [
      ['PROPFIND', '/api/projects', 405],
      ['TRACE', '/', 405],
      ['BREW', '/', 400],
    ] as const) {
      const answer = await server.raw(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.equal(statusOf(answer), status);
    }
  });

  it('refuses a tunnel, and closes the connection', async () => {
    const answer = await server.raw(
      'CONNECT docs.example.org:443 HTTP/1.1\r\nHost: docs.example.org\r\n\r\nabc',
    );
    assert.match(answer, /^HTTP\/1\.1 501 Not Implemented\r\n(?:.+\r\n)*Connection: close\r\n/);
  });

  it('ignores a body on GET', async () => {
    const answer = await server.raw(
      'GET /a-1.0/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello',
    );
    assert.equal(statusOf(answer), 200);
  });

  it('refuses a search of 16 kB', async () => {
    for (const term of ['('.repeat(8_000), 'a*'.repeat(4_000), '\u0130'.repeat(1_300)]) {
      assert.equal(
        (
          await server.get(
            `/api/projects?search=${encodeURIComponent(term)
              .slice(0, 12_000)
              .replace(/%[^%]?$/, '')}`,
          )
        ).status,
        400,
      );
    }
  });

  it('disconnects clients with slow headers or silence, but none that the server keeps waiting', async () => {
    const strict = await TestServer.start({ patience: { headersMs: 300, idleMs: 600 } });
    const port = Number(new URL(strict.url).port);
    const slow = connect(port, '127.0.0.1');
    slow.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow:');
    const drip = setInterval(() => slow.write('y'), 50);
    slow.on('error', () => {});
    slow.resume();
    const silent = connect(port, '127.0.0.1');
    silent.on('error', () => {});
    silent.resume();
    silent.write(
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nX-Token: secret-ci\r\nContent-Length: 1000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n',
    );
    await Promise.all([once(slow, 'close'), once(silent, 'close')]);
    clearInterval(drip);
    assert.equal((await strict.get('/')).status, 200);
    await strict.close();
  });

  it('refuses an upload that exceeds the free disk space before it is read', async () => {
    const head =
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Token: secret-admin\r\n' +
      'Content-Type: multipart/form-data; boundary=b\r\nExpect: 100-continue\r\n';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write(`${head}Content-Length: ${Number.MAX_SAFE_INTEGER}\r\n\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    assert.match(String(chunk), /^HTTP\/1\.1 507 .*"error":"insufficient_storage"/s);
    socket.destroy();
  });

  it('refuses an upload while the free space is below the reserve', async () => {
    const full = await TestServer.start({ limits: { minFreeBytes: Number.MAX_SAFE_INTEGER } });
    const before = await tree(full.docs);
    const response = await full.upload('a-1.0-docs.zip');
    assert.deepEqual(
      [response.status, ((await response.json()) as Json).error],
      [507, 'insufficient_storage'],
    );
    assert.deepEqual(await tree(full.docs), before);
    assert.equal((await full.get('/')).status, 200);
    await full.close();
  });
});
