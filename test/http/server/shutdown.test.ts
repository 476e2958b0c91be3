import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { writeZip, zipOf } from '../../support/zip-writer.js';

/** An archive that has to be sent in many parts: its file is stored as it is. */
const zipOfSize = (bytes: number) =>
  writeZip([
    { name: 'index.html', content: '' },
    { name: 'big.bin', content: Buffer.alloc(bytes, 'noise'), method: 0 },
  ]);

describe('A server that is told to stop', () => {
  const port = (server: TestServer) => Number(new URL(server.url).port);

  it('completes a running download', async () => {
    const server = await TestServer.start();
    const archive = zipOfSize(20_000_000);
    await server.upload('a-1.0-docs.zip', archive);
    const socket = connect(port(server), '127.0.0.1');
    socket.write('GET /a-1.0-docs.zip HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    const closed = server.close();
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).length;
    assert.ok(received > archive.length, `${received} of ${archive.length} bytes came`);
    await closed;
  });

  it('accepts no new connections, and ends idle ones at once', async () => {
    const server = await TestServer.start();
    const idle = connect(port(server), '127.0.0.1');
    await once(idle, 'connect');
    idle.resume();
    await (await server.get('/')).text();
    const [isAllAnswered] = await Promise.all([server.close(120_000), once(idle, 'close')]);
    // Connections that are still open after that time are cut.
    assert.equal(isAllAnswered, true);
    await assert.rejects(server.get('/'));
  });

  it('publishes a running upload', async () => {
    const server = await TestServer.start();
    const body = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a-1.0-docs.zip"\r\n\r\n'),
      zipOf({ 'index.html': 'x' }),
    ]);
    const end = '\r\n--b--\r\n';
    const head = (length: number) =>
      `POST /api/upload HTTP/1.1\r\nHost: x\r\nX-Token: secret-ci\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`;
    const socket = connect(port(server), '127.0.0.1');
    socket.write(head(body.length + end.length));
    socket.write(body);
    await until(() => server.uploadsRunning === 1);
    const closed = server.close();
    socket.write(end);
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    assert.match(answer, /^HTTP\/1\.1 201 /);
    assert.match(answer, /^Connection: close/im);
    await closed;
  });

  it('waits for a stuck client no longer than configured', async () => {
    const server = await TestServer.start();
    await server.upload('a-1.0-docs.zip', zipOfSize(30_000_000));
    const socket = connect(port(server), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /a-1.0-docs.zip HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'readable');
    await server.close(200);
    socket.destroy();
  });
});
