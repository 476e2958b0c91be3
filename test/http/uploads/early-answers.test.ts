import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { zipOf } from '../../support/zip-writer.js';

const GIB = 1024 ** 3;

describe('A response that can be sent before the body', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ limits: { maxUploadBytes: 1_000_000 } });
    await server.upload('a-1.0-docs.zip');
  });
  after(async () => server.close());

  const open = () => connect(Number(new URL(server.url).port), '127.0.0.1');

  function head(token: string, length: number, extra = ''): string {
    return (
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nX-Token: ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n${extra}\r\n`
    );
  }

  function partHead(name: string): string {
    return `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  }

  /** Returns the text received up to the end of a JSON body. Rejects if the connection ends before. */
  function answerOf(socket: Socket): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += String(chunk);
        if (/\r\n\r\n.*\}$/s.test(text)) resolve(text);
      });
      socket.once('close', () => reject(new Error(`the connection ended after ${JSON.stringify(text)}`)));
      socket.on('error', () => {});
    });
  }

  it('is sent for a missing token before any byte of the body', async () => {
    const socket = open();
    socket.write(head('nope', 4 * GIB));
    assert.match(await answerOf(socket), /^HTTP\/1\.1 401 .*authentication_required/s);
    socket.destroy();
  });

  for (const [name, error] of [
    ['bad name', 'invalid_filename'],
    ['a-1.0-docs.zip', 'version_exists'],
    ['a-2.0-docs.zip', 'upload_too_large'],
  ] as const) {
    it(`is sent as ${error} from the header of the part, before the file`, async () => {
      const socket = open();
      // The file's first byte is sent, too: before it, the end of the header might still be the start of a boundary.
      socket.write(`${head('secret-ci', 4 * GIB)}${partHead(name)}P`);
      assert.match(await answerOf(socket), new RegExp(`"error":"${error}"`));
      socket.destroy();
    });
  }

  it('is sent as soon as an unannounced body exceeds the limit', async () => {
    const socket = open();
    socket.write(
      'POST /api/upload HTTP/1.1\r\nHost: x\r\nX-Token: secret-ci\r\n' +
        'Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const send = (text: string | Buffer) => {
      socket.write(`${text.length.toString(16)}\r\n`);
      socket.write(text);
      socket.write('\r\n');
    };
    send(partHead('a-2.0-docs.zip'));
    for (let sent = 0; sent < 1_200_000; sent += 100_000) send(Buffer.alloc(100_000));
    assert.match(await answerOf(socket), /^HTTP\/1\.1 413 .*upload_too_large/s);
    socket.destroy();
  });

  it('reaches a client that sends its whole body before it reads', async () => {
    const socket = open();
    const length = 8_000_000;
    // Such a client announces that it will close: `urllib` does.
    socket.write(head('nope', length, 'Connection: close\r\n'));
    for (let sent = 0; sent < length; sent += 1_000_000) {
      if (!socket.write(Buffer.alloc(1_000_000))) await once(socket, 'drain');
    }
    assert.match(await answerOf(socket), /^HTTP\/1\.1 401 /);
    await once(socket, 'end');
  });

  it('is sent in place of 100 Continue', async () => {
    const socket = open();
    socket.write(head('nope', 1_000, 'Expect: 100-continue\r\n'));
    const answer = await answerOf(socket);
    assert.match(answer, /^HTTP\/1\.1 401 /);
    assert.doesNotMatch(answer, /100 Continue/);
    socket.destroy();
  });

  it('allows 100 Continue when the token is valid', async () => {
    const socket = open();
    const body = Buffer.concat([
      Buffer.from(partHead('expect-1.0-docs.zip')),
      zipOf({ 'index.html': 'x' }),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    socket.write(head('secret-ci', body.length, 'Expect: 100-continue\r\n'));
    const [first] = (await once(socket, 'data')) as [Buffer];
    assert.equal(first.toString(), 'HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    assert.match(await answerOf(socket), /^HTTP\/1\.1 201 /);
    socket.destroy();
  });

  it('is 503 with Retry-After when too many uploads run and none may wait, and running ones continue', async () => {
    const busy = await TestServer.start({ maxUploads: 1, maxWaitingUploads: 0 });
    const body = Buffer.concat([Buffer.from(partHead('slow-1.0-docs.zip')), zipOf({ 'index.html': 'x' })]);
    const end = Buffer.from('\r\n--b--\r\n');
    const slow = connect(Number(new URL(busy.url).port), '127.0.0.1');
    slow.write(head('secret-ci', body.length + end.length));
    slow.write(body);
    await until(async () => (await readdir(join(busy.docs, '.lectern/incoming'))).length === 1);
    const refused = await busy.upload('b-1.0-docs.zip');
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal(((await refused.json()) as { error: string }).error, 'unavailable');
    slow.write(end);
    assert.match(await answerOf(slow), /^HTTP\/1\.1 201 /);
    slow.destroy();
    await busy.close();
  });

  it('is dropped for a client that leaves, with everything of its upload', async () => {
    const socket = open();
    socket.write(head('secret-ci', 500_000) + partHead('gone-1.0-docs.zip'));
    socket.write(Buffer.alloc(100_000));
    const incoming = join(server.docs, '.lectern/incoming');
    await until(async () => (await readdir(incoming)).length === 1);
    socket.destroy();
    await until(async () => (await readdir(incoming)).length === 0);
    assert.equal((await server.get('/gone-1.0/')).status, 404);
    assert.equal((await server.upload('gone-1.0-docs.zip', undefined, 'ci')).status, 201);
  });
});
