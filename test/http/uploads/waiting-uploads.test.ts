import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import type { TokenRegistry } from '../../../src/application/index.js';
import { PartialUpload } from '../../support/partial-upload.js';
import { TestServer, type TestServerOptions } from '../../support/server.js';
import { tree } from '../../support/tree.js';
import { until } from '../../support/until.js';
import { zipOf } from '../../support/zip-writer.js';

describe('Uploads that wait for a place', () => {
  const open: PartialUpload[] = [];
  let server: TestServer;
  afterEach(async () => {
    for (const upload of open.splice(0)) upload.close();
    await server.close(0);
  });

  /** Starts a server and takes its places, one upload of `admin` for each token. */
  async function busy(options: TestServerOptions, tokens = ['admin']): Promise<readonly PartialUpload[]> {
    server = await TestServer.start({ maxUploads: tokens.length, ...options });
    const slow = tokens.map((token, number) =>
      begin(token, PartialUpload.form(`slow-${number}.0`).length).send(headOf(`slow-${number}.0`)),
    );
    await until(() => server.uploadsRunning === tokens.length);
    // Bytes of the uploads are there, too: from here on, tests look at what a refusal must not change.
    await until(async () => (await begun()) === tokens.length);
    return slow;
  }

  function begin(token: string, length: number, ...headers: string[]): PartialUpload {
    const upload = new PartialUpload(server, token, length, headers);
    open.push(upload);
    return upload;
  }

  /** Sends a whole upload, and waits until it waits. */
  async function queued(name: string, token: string): Promise<PartialUpload> {
    const before = server.uploadsWaiting;
    const form = PartialUpload.form(name);
    const upload = begin(token, form.length).send(form);
    await until(() => server.uploadsWaiting === before + 1);
    return upload;
  }

  /** Sends the rest of one that `busy` has begun. */
  function finish(slow: PartialUpload | undefined, number = 0): void {
    slow?.send(PartialUpload.form(`slow-${number}.0`).subarray(headOf(`slow-${number}.0`).length));
  }

  /** Everything up to the first bytes of the archive. */
  const headOf = (name: string) => `${PartialUpload.partHead(name)}PK`;
  const begun = async () => (await tree(incoming())).filter((line) => line.endsWith('/archive.zip 2')).length;
  const incoming = () => join(server.docs, '.lectern/incoming');
  const staged = async () => (await readdir(incoming())).length;
  const lines = () =>
    server.log.filter((line) => 'path' in line && line.path === '/api/upload') as Record<string, unknown>[];

  async function fiftyArePublished(): Promise<void> {
    const names = Array.from({ length: 50 }, (_, number) => `job-${number}.0`);
    const answers = await Promise.all(
      names.map((name) => server.upload(`${name}-docs.zip`, undefined, 'ci')),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      names.map(() => 201),
    );
    for (const name of names) assert.equal((await server.get(`/${name}/`)).status, 200, name);
  }

  it('are published, fifty at once with one token', async () => {
    const running = await busy({ maxUploads: 4 }, ['ci', 'ci', 'ci']);
    const published = fiftyArePublished();
    await until(() => server.uploadsWaiting === 50);
    for (const [number, slow] of running.entries()) finish(slow, number);
    await published;
    await until(() => lines().length === 53);
    const waits = lines().map(({ waitedMs }) => waitedMs);
    assert.ok(waits.every((each) => each === undefined || Number.isInteger(each)));
    assert.equal(waits.filter((each) => each !== undefined).length, 50);
  });

  it('are published beside two uploads of their token that have stopped half-way', async () => {
    server = await TestServer.start();
    for (const name of ['stuck-1.0', 'stuck-2.0']) begin('ci', 1_000_000).send(headOf(name));
    await until(() => server.uploadsRunning === 2);
    await fiftyArePublished();
    assert.equal(server.uploadsRunning, 2);
  });

  it('take turns by token: one upload passes four earlier ones of another token', async () => {
    const [slow] = await busy({});
    for (let number = 1; number <= 5; number++) await queued(`a-${number}.0`, 'ci');
    await queued('b-1.0', 'deleter');
    finish(slow);
    await until(() => lines().length === 7);
    assert.deepEqual(
      lines().map(({ token, status }) => [token, status]),
      ['admin', 'ci', 'deleter', 'ci', 'ci', 'ci', 'ci'].map((token) => [token, 201]),
    );
  });

  it("skip a token at its limit of running uploads: the next slot is another token's", async () => {
    const [, other] = await busy({}, ['ci', 'admin']);
    for (let number = 1; number <= 10; number++) await queued(`a-${number}.0`, 'ci');
    const next = await queued('b-1.0', 'deleter');
    finish(other, 1);
    assert.equal((await next.answer())[0], 201);
    assert.equal(server.uploadsWaiting, 10);
  });

  it('are refused when the queue is full, and nothing changes', async () => {
    const [slow] = await busy({ maxWaitingUploads: 2 });
    const first = await queued('a-1.0', 'ci');
    const second = await queued('a-2.0', 'ci');
    const before = await tree(server.docs);
    const refused = await server.upload('a-3.0-docs.zip', undefined, 'ci');
    assert.equal(refused.status, 503);
    assert.equal(refused.headers.get('retry-after'), '5');
    assert.deepEqual(await refused.json(), {
      success: false,
      error: 'unavailable',
      message: 'Too many uploads are running at once, and 2 are waiting; try again in a few seconds',
    });
    assert.deepEqual(await tree(server.docs), before);
    finish(slow);
    for (const each of [first, second]) assert.equal((await each.answer())[0], 201);
    assert.equal((await server.upload('a-3.0-docs.zip', undefined, 'ci')).status, 201);
  });

  it('give up their last one in a full queue of one token when another token arrives', async () => {
    const [slow] = await busy({ maxWaitingUploads: 2 });
    const first = await queued('a-1.0', 'ci');
    const last = await queued('a-2.0', 'ci');
    const form = PartialUpload.form('b-1.0');
    const other = begin('deleter', form.length).send(form);
    assert.deepEqual((await last.answer()).slice(0, 2), [503, 'unavailable']);
    assert.equal((await server.upload('b-2.0-docs.zip', undefined, 'deleter')).status, 503);
    finish(slow);
    for (const each of [first, other]) assert.equal((await each.answer())[0], 201);
    for (const name of ['a-2.0', 'b-2.0']) assert.equal((await server.get(`/${name}/`)).status, 404);
  });

  it('are refused after their time limit, and nothing changes', async () => {
    const [slow] = await busy({ uploadWaitMs: 100 });
    const before = await tree(server.docs);
    const refused = await server.upload('a-1.0-docs.zip', undefined, 'ci');
    assert.equal(refused.status, 503);
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
    const { error, message } = (await refused.json()) as { error: string; message: string };
    assert.deepEqual(
      [error, message],
      ['unavailable', 'The upload could not start within 0.1 seconds; try again in a few seconds'],
    );
    assert.deepEqual(await tree(server.docs), before);
    assert.equal(server.uploadsWaiting, 0);
    await until(() => lines().length === 1);
    const [{ token, refusal, waitedMs } = {}] = lines();
    assert.deepEqual([token, refusal, typeof waitedMs], ['ci', 'unavailable', 'number']);
    finish(slow);
    assert.equal((await slow?.answer())?.[0], 201);
  });

  it('are told to retry after the time that the queue takes', async () => {
    const [slow] = await busy({ uploadWaitMs: 1 });
    const retryAfter = async () =>
      (await server.upload('a-1.0-docs.zip', undefined, 'ci')).headers.get('retry-after');
    assert.equal(await retryAfter(), '5');
    slow?.close();
    await until(() => server.uploadsRunning === 0);
    const quick = Array.from({ length: 8 }, (_, number) => `quick-${number}.0-docs.zip`);
    for (const name of quick) assert.equal((await server.upload(name)).status, 201);
    begin('ci', 1_000).send(headOf('slow-1.0'));
    await until(() => server.uploadsRunning === 1);
    assert.equal(await retryAfter(), '1');
  });

  it('lose their place when their client leaves', async () => {
    const [slow] = await busy({});
    const gone = await queued('gone-1.0', 'ci');
    const next = await queued('next-1.0', 'ci');
    gone.close();
    await until(() => server.uploadsWaiting === 1);
    finish(slow);
    assert.equal((await next.answer())[0], 201);
    assert.equal((await server.get('/gone-1.0/')).status, 404);
    await until(() => lines().length === 3);
    assert.deepEqual(
      lines().map(({ status }) => status),
      [499, 201, 201],
    );
  });

  it('lose their place in their turn at the latest, when too much is unread to notice a leaving client', async () => {
    const [slow] = await busy({});
    const before = server.uploadsWaiting;
    const gone = begin('ci', 10_000_000).send(headOf('gone-1.0')).send(randomBytes(1_000_000));
    await until(() => server.uploadsWaiting === before + 1);
    const next = await queued('next-1.0', 'ci');
    gone.close();
    finish(slow);
    assert.equal((await next.answer())[0], 201);
    assert.equal((await server.get('/gone-1.0/')).status, 404);
    assert.equal(await staged(), 0);
  });

  it('are refused by a server that shuts down, without leftovers', async () => {
    const [slow] = await busy({});
    const waiting = [await queued('a-1.0', 'ci'), await queued('a-2.0', 'deleter')];
    const closed = server.close(30_000);
    for (const each of waiting) {
      assert.deepEqual(await each.answer(), [
        503,
        'unavailable',
        'The server is shutting down; try again in a few seconds',
      ]);
      assert.match(each.text, /^Retry-After: 5\r$/m);
      assert.match(each.text, /^Connection: close\r$/m);
    }
    finish(slow);
    assert.equal((await slow?.answer())?.[0], 201);
    await closed;
  });

  it('get 100 Continue in their turn, after Expect: 100-continue', async () => {
    const [slow] = await busy({});
    const form = PartialUpload.form('polite-1.0');
    const polite = begin('ci', form.length, 'Expect: 100-continue');
    await until(() => server.uploadsWaiting === 1);
    // Whoever waits is not asked although the server answers others.
    assert.equal((await server.get('/')).status, 200);
    assert.equal(polite.text, '');
    finish(slow);
    await until(() => polite.isAskedFor);
    assert.equal((await polite.send(form).answer())[0], 201);
  });

  it('are held by their connection: almost nothing of their bodies is read before their turn', async () => {
    const sockets: IncomingMessage['socket'][] = [];
    const note = (message: unknown) => {
      const { request } = message as { request: IncomingMessage };
      if (request.headers['x-token'] === 'secret-ci') sockets.push(request.socket);
    };
    const [slow] = await busy({});
    subscribe('http.server.request.start', note);
    const form = PartialUpload.form(
      'large-1.0',
      zipOf({ 'index.html': 'x', 'a.bin': randomBytes(4_000_000) }),
    );
    const large = begin('ci', form.length).send(form);
    await until(() => server.uploadsWaiting === 1);
    // Thirty round trips on other connections, in which four megabytes would have come.
    for (let trip = 0; trip < 30; trip++) assert.equal((await server.get('/api/projects')).status, 200);
    unsubscribe('http.server.request.start', note);
    assert.equal(sockets.length, 1);
    const read = sockets[0]?.bytesRead ?? 0;
    assert.ok(read > 0 && read < 512 * 1024, `${read} bytes were read`);
    finish(slow);
    assert.equal((await large.answer())[0], 201);
  });

  it('have time limits that start with their turn', async () => {
    server = await TestServer.start({
      maxUploads: 1,
      // Two seconds for a small upload, and more than a minute for the one that keeps the only place.
      uploadPace: { windowMs: 2_000, minBytesPerSecond: 1, graceMs: 1, minOverallBytesPerSecond: 1e6 },
      patience: { headersMs: 30_000, idleMs: 4_000 },
    });
    const { port, hostname } = new URL(server.url);
    const slow = begin('admin', 100_000_000).send(headOf('slow-0.0'));
    await until(() => server.uploadsRunning === 1);
    slow.drip('x');
    const form = PartialUpload.form('patient-1.0');
    const waiting = begin('ci', form.length);
    await until(() => server.uploadsWaiting === 1);
    const idle = connect(Number(port), hostname).resume();
    // A silent connection is cut after the time for which the waiting upload has been silent by then.
    await once(idle, 'close');
    assert.equal(waiting.text, '');
    slow.close();
    assert.equal((await waiting.send(form).answer())[0], 201);
  });

  it('need free disk space for their bodies in their turn', async () => {
    let free = 1e12;
    const [slow] = await busy({ freeBytes: async () => free });
    const waiting = await queued('a-1.0', 'ci');
    free = 0;
    slow?.close();
    assert.deepEqual((await waiting.answer()).slice(0, 2), [507, 'insufficient_storage']);
    assert.equal((await server.get('/a-1.0/')).status, 404);
    assert.equal(await staged(), 0);
  });

  it('need a token that is still valid in their turn', async () => {
    let known: TokenRegistry = new MemoryTokenRegistry([
      { name: 'admin', secret: 'secret-admin' },
      { name: 'ci', secret: 'secret-ci' },
    ]);
    const tokens: TokenRegistry = {
      isConfigured: true,
      authenticate: (...asked) => known.authenticate(...asked),
      holders: () => known.holders(),
    };
    const [slow] = await busy({ tokens });
    const waiting = await queued('a-1.0', 'ci');
    known = new MemoryTokenRegistry([{ name: 'admin', secret: 'secret-admin' }]);
    finish(slow);
    assert.deepEqual((await waiting.answer()).slice(0, 2), [401, 'authentication_required']);
    assert.equal((await server.get('/a-1.0/')).status, 404);
  });
});
