import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { watchPace } from '../../../src/adapters/http/api/uploads/receive-upload.js';
import { DEFAULT_UPLOAD_PACE } from '../../../src/adapters/http/index.js';
import { PartialUpload } from '../../support/partial-upload.js';
import { TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';
import { zipOf } from '../../support/zip-writer.js';

describe('A slow upload', () => {
  const open: PartialUpload[] = [];
  let server: TestServer | undefined;
  afterEach(async () => {
    for (const upload of open.splice(0)) upload.close();
    await server?.close(0);
  });

  const begin = (on: TestServer, token: string, length?: number) => {
    const upload = new PartialUpload(on, token, length);
    open.push(upload);
    return upload;
  };
  const staged = async (on: TestServer) => (await readdir(join(on.docs, '.lectern/incoming'))).length;

  it('leaves one slot free when one token sends six and none may wait, and another token publishes', async () => {
    server = await TestServer.start({ maxUploads: 4, maxWaitingUploads: 0 });
    const { docs } = server;
    for (let number = 1; number <= 3; number++) {
      begin(server, 'ci').send(`${PartialUpload.partHead(`slow-${number}.0`)}PK`);
    }
    await until(async () => (await readdir(join(docs, '.lectern/incoming'))).length === 3);
    for (let number = 4; number <= 6; number++) {
      const refused = begin(server, 'ci').send(`${PartialUpload.partHead(`slow-${number}.0`)}PK`);
      assert.deepEqual(await refused.answer(), [
        503,
        'unavailable',
        "Token 'ci' has 3 uploads running, the maximum for one token; try again in a few seconds",
      ]);
      assert.match(refused.text, /^Retry-After: \d+\r$/m);
    }
    assert.equal(await staged(server), 3);
    assert.equal((await server.upload('a-1.0-docs.zip')).status, 201);
    assert.equal((await server.upload('a-2.0-docs.zip')).status, 201);
    open[0]?.close();
    await until(async () => (await server?.upload('b-1.0-docs.zip', undefined, 'ci'))?.status === 201);
  });

  it('takes a single slot by order of arrival', async () => {
    server = await TestServer.start({ maxUploads: 1, maxWaitingUploads: 0 });
    const on = server;
    const slow = begin(server, 'ci').send(`${PartialUpload.partHead('slow-1.0')}PK`);
    await until(async () => (await staged(on)) === 1);
    assert.equal((await server.upload('a-1.0-docs.zip')).status, 503);
    slow.close();
    await until(async () => (await on.upload('a-1.0-docs.zip')).status === 201);
  });

  /** 1,000 bytes in each tenth of a second. */
  const uploadPace = { ...DEFAULT_UPLOAD_PACE, windowMs: 100, minBytesPerSecond: 10_000 };
  const archive = zipOf({ 'index.html': 'x' });
  const SLOW: readonly [title: string, first: string | Buffer][] = [
    ['before its first byte', ''],
    ['before the file', '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n'],
    ['within the file', `${PartialUpload.partHead('slow-1.0')}PK`],
    [
      'after the file',
      Buffer.concat([Buffer.from(PartialUpload.partHead('slow-1.0')), archive, Buffer.from('\r\n--b\r\n')]),
    ],
    [
      'after the end of the form',
      Buffer.concat([Buffer.from(PartialUpload.partHead('slow-1.0')), archive, PartialUpload.end]),
    ],
  ];
  for (const [title, first] of SLOW) {
    it(`is ended with 408 when it goes on a byte at a time ${title}, and leaves nothing`, async () => {
      server = await TestServer.start({ maxUploads: 1, uploadPace });
      const on = server;
      const before = await tree(server.docs);
      const slow = begin(server, 'ci').send(first).drip('x');
      const [status, error, message] = await slow.answer();
      assert.deepEqual([status, error], [408, 'invalid_request']);
      assert.match(message ?? '', /less than 10000 bytes per second; nothing was changed/);
      assert.match(slow.text, /^Connection: close\r$/m);
      assert.deepEqual(await tree(server.docs), before);
      // The place is free again while the client still sends. On a busy machine the next upload may be too slow, too.
      await until(() => on.uploadsRunning === 0);
      await until(async () => {
        const { status } = await on.upload('slow-1.0-docs.zip', undefined, 'ci');
        assert.ok([201, 408].includes(status), String(status));
        return status === 201;
      });
    });
  }

  it('is not published when it sends the rest after its end', async () => {
    server = await TestServer.start({ uploadPace });
    const before = await tree(server.docs);
    const form = Buffer.concat([Buffer.from(PartialUpload.partHead('slow-1.0')), archive, PartialUpload.end]);
    const slow = begin(server, 'ci', form.length + 1).send('\n');
    assert.equal((await slow.answer())[0], 408);
    slow.send(form);
    await slow.ended();
    assert.equal(slow.text.split('HTTP/1.1').length, 2);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('is published when it keeps up the rate over several windows', async () => {
    server = await TestServer.start({
      uploadPace: { ...DEFAULT_UPLOAD_PACE, windowMs: 1_000, minBytesPerSecond: 1_000 },
    });
    const content = zipOf({ 'index.html': 'x', 'a.bin': randomBytes(100_000) });
    const form = Buffer.concat([Buffer.from(PartialUpload.partHead('fast-1.0')), content, PartialUpload.end]);
    const upload = begin(server, 'ci', form.length);
    const piece = Math.ceil(form.length / 50);
    for (let at = 0; at < form.length; at += piece) {
      upload.send(form.subarray(at, at + piece));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal((await upload.answer())[0], 201);
  });

  it('is ended when it keeps up the rate but not for its size', async () => {
    server = await TestServer.start({
      uploadPace: { windowMs: 100, minBytesPerSecond: 1, graceMs: 300, minOverallBytesPerSecond: 1e9 },
    });
    const before = await tree(server.docs);
    const slow = begin(server, 'ci')
      .send(`${PartialUpload.partHead('slow-1.0')}PK`)
      .drip('x'.repeat(100));
    const [status, error] = await slow.answer();
    assert.deepEqual([status, error], [408, 'invalid_request']);
    assert.deepEqual(await tree(server.docs), before);
  });
});

describe('The pace of an upload', () => {
  const requests: IncomingMessage[] = [];
  const server = createServer((request) => requests.push(request));
  let socket: Socket;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
  });
  after(() => {
    socket.destroy();
    server.close();
  });

  it('ignores the time in which bytes wait for the disk', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(10_000)}`);
    await until(() => (requests[0]?.readableLength ?? 0) > 0);
    const [request = assert.fail()] = requests;
    const told: number[] = [];
    const stop = watchPace(request, DEFAULT_UPLOAD_PACE, 1_000_000, ({ status }) => told.push(status));
    t.mock.timers.tick(5 * DEFAULT_UPLOAD_PACE.windowMs);
    assert.deepEqual(told, []);
    request.resume();
    await until(() => request.readableLength === 0);
    t.mock.timers.tick(DEFAULT_UPLOAD_PACE.windowMs);
    assert.deepEqual(told, [408]);
    stop();
  });
});
