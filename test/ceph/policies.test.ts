import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { loadSdk } from '../../src/adapters/object-store/client/sdk.js';
import { document, fencesOf } from '../docs/markdown.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { type Ceph, needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';

interface Statement {
  readonly Effect: string;
  readonly Action: readonly string[];
  readonly Resource: string;
}

/** The policies that docs/object-store.md shows, writers first. */
const policies = fencesOf(await document('docs/object-store.md'))
  .filter(({ language }) => language === 'json')
  .map(({ code }) => JSON.parse(code))
  .filter((each): each is { readonly Statement: readonly Statement[] } => 'Statement' in each);

/** Actions on objects and buckets, keyed by the end of the resource's name. Ceph does not support `NotAction`. */
const ACTIONS = {
  '/docs/*': [
    'GetObject',
    'PutObject',
    'DeleteObject',
    'AbortMultipartUpload',
    'ListMultipartUploadParts',
    'GetObjectVersion',
    'DeleteObjectVersion',
    'GetObjectAcl',
    'PutObjectAcl',
    'GetObjectTagging',
    'PutObjectTagging',
    'RestoreObject',
  ],
  '': [
    'ListBucket',
    'ListBucketMultipartUploads',
    'ListBucketVersions',
    'GetBucketVersioning',
    'GetBucketLocation',
    'GetBucketAcl',
    'GetLifecycleConfiguration',
  ],
};

/** Forbids what a policy does not allow, to the owner of the bucket too. */
function denialsOf({ Statement }: (typeof policies)[number], bucket: string) {
  const allowed = new Set(Statement.flatMap(({ Action }) => Action));
  return Object.entries(ACTIONS).map(([place, names]) => ({
    Effect: 'Deny',
    Principal: '*',
    Action: names.map((name) => `s3:${name}`).filter((action) => !allowed.has(action)),
    Resource: `arn:aws:s3:::${bucket}${place}`,
  }));
}

describe('The policies in docs/object-store.md', needsCeph, () => {
  let ceph: Ceph;
  let place: string;
  before(async () => {
    ceph = await sharedCeph();
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await writeFile(
      join(place, 'tokens.json'),
      '{"tokens": {"ci": {"token": "s3cret", "allow_delete": true}}}',
    );
  });
  after(() => rm(place, { recursive: true, force: true }));

  async function restrict(bucket: string, policy: (typeof policies)[number]) {
    const credentials = { accessKeyId: ceph.accessKey, secretAccessKey: ceph.secretKey };
    const { commands, client } = await loadSdk({ endpoint: ceph.endpoints[0], credentials });
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement: denialsOf(policy, bucket) });
    await client.send(new commands.PutBucketPolicyCommand({ Bucket: bucket, Policy }));
    client.destroy();
  }
  async function node(t: TestContext, bucket: string, ...options: string[]) {
    const server = await SpawnedServer.start(
      [
        ...['--store', `s3://${bucket}/docs`, '--store-endpoint', ceph.endpoints[0]],
        ...['--cache-dir', await mkdtemp(join(place, 'cache-')), ...options],
      ],
      { AWS_ACCESS_KEY_ID: ceph.accessKey, AWS_SECRET_ACCESS_KEY: ceph.secretKey },
    );
    t.after(() => server.stop());
    return server;
  }
  const tokens = () => ['--tokens', join(place, 'tokens.json')];
  async function upload(url: string, name: string) {
    // More than fits into one part of an upload.
    const archive = zipOf({
      'index.html': name,
      'large.bin': Buffer.alloc(9_000_000, Math.random().toString()),
    });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(archive)]), `${name}-docs.zip`);
    const headers = { 'X-Token': 's3cret' };
    return (await fetch(`${url}/api/upload`, { method: 'POST', headers, body: form })).status;
  }

  it('number two, each for the bucket and for a prefix in it', () => {
    const resources = ['arn:aws:s3:::my-bucket', 'arn:aws:s3:::my-bucket/docs/*'];
    const found = policies.map(({ Statement }) =>
      Statement.map(({ Effect, Resource }) => [Effect, Resource]),
    );
    const wanted = resources.map((resource) => ['Allow', resource]);
    assert.deepEqual(found, [wanted, wanted]);
  });

  it('let a writer prove the store, publish and remove', async (t) => {
    const { name } = await makeBucket(ceph);
    await restrict(name, policies[0]!);
    const server = await node(t, name, ...tokens());
    assert.equal(await upload(server.url, 'tool-1.0'), 201);
    assert.equal((await fetch(`${server.url}/tool-1.0/`)).status, 200);
    const headers = { 'X-Token': 's3cret' };
    const removed = await fetch(`${server.url}/api/delete/tool/1.0`, { method: 'DELETE', headers });
    assert.equal(removed.status, 200);
    assert.doesNotMatch((await server.stop()).stderr, /AccessDenied|could not/);
  });

  it('let a reader read and follow only', async (t) => {
    const { name } = await makeBucket(ceph);
    const writer = await node(t, name, ...tokens());
    assert.equal(await upload(writer.url, 'tool-1.0'), 201);
    await writer.stop();
    await restrict(name, policies[1]!);
    const reader = await node(t, name);
    assert.equal(await (await fetch(`${reader.url}/tool-1.0/`)).text(), 'tool-1.0');
    assert.equal((await fetch(`${reader.url}/tool-1.0-docs.zip`)).status, 200);
    await until(async () => (await (await fetch(`${reader.url}/-/ready`)).json()).ready === true);
    assert.doesNotMatch((await reader.stop()).stderr, /AccessDenied|unreachable/);
    await assert.rejects(node(t, name, ...tokens()), /AccessDenied/);
  });
});
