import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { FAKE_CREDENTIALS, startFakeS3 } from '../support/fake-s3.js';
import { run, SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

const ENV = {
  AWS_ACCESS_KEY_ID: FAKE_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: FAKE_CREDENTIALS.secretAccessKey,
};
const BROKEN = { ready: false, reasons: ['log_incomplete'] };

/** A fake store, and what starts servers on it. */
async function place(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  t.after(() => rm(directory, { recursive: true }));
  const fake = await startFakeS3();
  t.after(() => fake.close());
  const tokens = join(directory, 'tokens.json');
  await writeFile(tokens, JSON.stringify({ tokens: { ci: { token: 'secret' } } }), {
    mode: 0o600,
  });
  const store = ['s3://bucket/docs', '--store-endpoint', fake.endpoint];
  const start = async (name: string) => {
    const cache = ['--cache-dir', join(directory, name)];
    const server = await SpawnedServer.start(
      ['--store', ...store, '--tokens', tokens, ...cache, '--search', 'off'],
      ENV,
    );
    t.after(() => server.stop('SIGKILL'));
    const { url } = server;
    return {
      server,
      page: async (path: string) => (await fetch(url + path)).status,
      ready: async () => {
        const response = await fetch(`${url}/-/ready`);
        return [response.status, await response.json()];
      },
      upload: async (fileName: string) => {
        const form = new FormData();
        form.append(
          'file',
          new Blob([new Uint8Array(zipOf({ 'index.html': fileName }))]),
          `${fileName}-docs.zip`,
        );
        const headers = { 'X-Token': 'secret' };
        const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form, headers });
        return [response.status, (await response.json()).error];
      },
    };
  };
  return { fake, start, directory, store };
}

describe('lectern serve --store on a broken log', () => {
  it('starts, serves known versions, is not ready, and recovers by itself with the store', async (t) => {
    const { fake, start } = await place(t);
    const first = await start('first');
    for (const name of ['w-1.0', 'w-1.1']) assert.deepEqual(await first.upload(name), [201, undefined]);

    fake.intercept = (request, response) => {
      if (request.method !== 'GET' || !request.url?.includes('/log/')) return false;
      response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
      return true;
    };
    const objects = new Map(fake.objects);
    const second = await start('second');
    assert.deepEqual(await second.ready(), [503, BROKEN]);
    assert.equal(await second.page('/'), 200);
    assert.equal(await second.page('/w-1.0/'), 404);
    await until(async () => (await first.ready())[0] === 503);
    assert.equal(await first.page('/w-1.0/'), 200);
    for (const node of [first, second]) {
      assert.deepEqual(await node.upload('w-2.0'), [503, 'unavailable']);
    }
    assert.deepEqual(fake.objects, objects);

    fake.intercept = () => false;
    for (const node of [first, second]) {
      await until(async () => (await node.ready())[0] === 200);
      assert.equal(await node.page('/w-1.1/'), 200);
    }
    assert.deepEqual(await second.upload('w-2.0'), [201, undefined]);
    const { stdout, stderr } = await second.server.stop();
    assert.equal((stdout + stderr).split('"msg":"commit 1 of the log is missing').length, 2);
    assert.equal((stdout + stderr).split('"msg":"the log of the object store is complete again').length, 2);
  });

  it('is reported by lectern verify, and refused by lectern copy', async (t) => {
    const { fake, start, directory, store } = await place(t);
    const node = await start('node');
    for (const name of ['w-1.0', 'w-1.1', 'w-1.2']) await node.upload(name);
    await node.server.stop();
    fake.objects.delete('docs/log/999999999998');
    const verified = await run(['verify', '--store', ...store], ENV);
    assert.deepEqual(
      [verified.code, verified.stdout.split('\n').slice(0, 2)],
      [1, ['the log: differs', '  commit 2 is missing']],
    );
    const [from, ...options] = store;
    const target = join(directory, 'copy');
    const copied = await run(
      ['copy', '--from', String(from), '--from-endpoint', String(options[1]), '--to', target],
      ENV,
    );
    assert.equal(copied.code, 2);
    assert.match(copied.stderr, /versions are missing in the log of the object store, so nothing was copied/);
  });
});
