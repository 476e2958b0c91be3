import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { makeBucket } from '../support/ceph/bucket.js';
import { type Ceph, needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

describe('lectern serve --store', needsCeph, () => {
  let ceph: Ceph;
  let place: string;
  before(async () => {
    ceph = await sharedCeph();
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await writeFile(
      join(place, 'tokens.json'),
      '{"tokens": {"ci": {"token": "s3cret", "allow_overwrite": true, "allow_delete": true}}}',
    );
  });
  after(() => rm(place, { recursive: true, force: true }));

  let started = 0;
  /** Starts a node, each on the other gateway. */
  async function node(t: TestContext, bucket: string, ...options: string[]) {
    started += 1;
    const args = ['--store', `s3://${bucket}/team`, '--store-endpoint', ceph.endpoints[started % 2] ?? ''];
    const cache = ['--cache-dir', join(place, `cache-${started}`)];
    const credentials = { AWS_ACCESS_KEY_ID: ceph.accessKey, AWS_SECRET_ACCESS_KEY: ceph.secretKey };
    const server = await SpawnedServer.start([...args, ...cache, '--search', 'off', ...options], credentials);
    t.after(() => server.stop());
    return server;
  }
  const withTokens = () => ['--tokens', join(place, 'tokens.json')];

  async function upload(url: string, name: string, page: string) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(zipOf({ 'index.html': page }))]), `${name}-docs.zip`);
    return fetch(`${url}/api/upload`, { method: 'POST', headers: { 'X-Token': 's3cret' }, body: form });
  }
  const page = async (url: string, path: string) => (await fetch(url + path)).text();

  it("shows one server's uploads on all other servers, by every way of reading", async (t) => {
    const { name } = await makeBucket(ceph);
    const [one, two] = await Promise.all([node(t, name, ...withTokens()), node(t, name, ...withTokens())]);
    assert.match(one.stdout, new RegExp(`^Lectern serves s3://${name}/team at http`));
    assert.equal((await upload(one.url, 'tool-1.0', '<p>one</p>')).status, 201);
    assert.equal(await page(one.url, '/tool-1.0/'), '<p>one</p>');
    await until(async () => (await page(two.url, '/tool-latest/')) === '<p>one</p>');
    const archive = await fetch(`${two.url}/tool-latest-docs.zip`);
    assert.deepEqual(Buffer.from(await archive.arrayBuffer()), zipOf({ 'index.html': '<p>one</p>' }));
    assert.equal((await upload(two.url, 'tool-1.0', '<p>two</p>')).status, 200);
    await until(async () => (await page(one.url, '/tool-1.0/')) === '<p>two</p>');
    const removed = await fetch(`${one.url}/api/delete/tool/1.0`, {
      method: 'DELETE',
      headers: { 'X-Token': 's3cret' },
    });
    assert.equal(removed.status, 200);
    await until(async () => (await fetch(`${two.url}/tool-1.0/`)).status === 404);
  });

  it('serves its versions again after a restart, and only reads without tokens', async (t) => {
    const { name } = await makeBucket(ceph);
    const first = await node(t, name, ...withTokens());
    await upload(first.url, 'tool-1.0', 'kept');
    assert.equal((await first.stop()).code, 0);
    const reader = await node(t, name);
    assert.equal(await page(reader.url, '/tool-1.0/'), 'kept');
    assert.equal((await upload(reader.url, 'tool-2.0', 'x')).status, 401);
    const { stderr } = await reader.stop();
    assert.match(stderr, /skipped the check of the object store: without tokens, this server is read-only/);
  });

  it('redirects downloads to the store with --presigned-downloads', async (t) => {
    const { name } = await makeBucket(ceph);
    const server = await node(t, name, ...withTokens(), '--presigned-downloads');
    await upload(server.url, 'tool-1.0', 'x');
    const answer = await fetch(`${server.url}/tool-1.0-docs.zip`, { redirect: 'manual' });
    assert.equal(answer.status, 302);
    const location = answer.headers.get('location') ?? '';
    assert.ok(ceph.endpoints.some((endpoint) => location.startsWith(`${endpoint}/${name}/team/archive/`)));
    const archive = await fetch(location);
    assert.deepEqual(Buffer.from(await archive.arrayBuffer()), zipOf({ 'index.html': 'x' }));
    assert.match(archive.headers.get('content-disposition') ?? '', /tool-1\.0-docs\.zip/);
    // Signed addresses are secrets for as long as they are valid.
    const { stderr } = await server.stop();
    assert.doesNotMatch(stderr, /X-Amz-Signature|testsecret/);
  });

  it('exposes store metrics with --metrics', async (t) => {
    const { name } = await makeBucket(ceph);
    // Data derived from the site would add puts to the count.
    const server = await node(t, name, ...withTokens(), '--metrics', '--no-link-check');
    await upload(server.url, 'tool-1.0', 'x');
    const metrics = await page(server.url, '/-/metrics');
    assert.match(metrics, /^lectern_store_reachable 1$/m);
    assert.match(metrics, /^lectern_store_commit 1$/m);
    assert.match(metrics, /^lectern_store_request_duration_seconds_count\{operation="put",result="ok"\} 3$/m);
  });
});
