import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import type { ObjectClient } from '../../src/adapters/object-store/client/object-client.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { type Ceph, needsCeph, sharedCeph } from '../support/ceph/ceph.js';
import { publishIn, versionsIn } from '../support/docs-with-versions.js';
import { MAIN } from '../support/root.js';
import { runAgain, SpawnedServer } from '../support/spawned-server.js';
import { tree } from '../support/tree.js';

describe('lectern copy, verify and prune --store', needsCeph, () => {
  let ceph: Ceph;
  let place: string;
  let docs: string;
  let env: NodeJS.ProcessEnv;
  before(async () => {
    ceph = await sharedCeph();
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    docs = join(place, 'docs');
    const temporary = join(place, 'tmp');
    await mkdir(temporary);
    env = {
      AWS_ACCESS_KEY_ID: ceph.accessKey,
      AWS_SECRET_ACCESS_KEY: ceph.secretKey,
      LECTERN_STORE_ENDPOINT: ceph.endpoints[0],
      TMPDIR: temporary,
    };
    // Sent in two parts.
    const large = { 'index.html': 'large', 'video.bin': randomBytes(9_000_000) };
    const small = (page: string) => ({ 'index.html': page, 'docinfo.yaml': `name: ${page}` });
    await publishIn(docs, {
      ...Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`tool-1.${n}`, small(`page ${n}`)])),
      'other-1.0': large,
      'tool-2.0': small('last'),
    });
  });
  after(() => rm(place, { recursive: true, force: true }));

  const lectern = (...args: readonly string[]) => runAgain(args, env);
  const nothingTemporary = async () => assert.deepEqual(await readdir(join(place, 'tmp')), []);

  async function keysOf(client: ObjectClient, prefix = ''): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of client.list(prefix)) keys.push(key);
    return keys;
  }

  /** Everything in a store, byte for byte. */
  async function contentOf(client: ObjectClient) {
    const content = new Map<string, string>();
    for (const key of await keysOf(client)) {
      const object = await client.get(key);
      content.set(key, object === undefined ? '' : (await buffer(object.body)).toString('base64'));
    }
    return content;
  }

  /** A store with all versions. */
  async function filledStore() {
    const bucket = await makeBucket(ceph);
    const address = `s3://${bucket.name}/team`;
    const { code, stderr } = await lectern('copy', '--from', docs, '--to', address);
    assert.equal(code, 0, stderr);
    const client = await bucket.open({ prefix: 'team/' });
    after(() => client.close());
    return { bucket, address, client };
  }

  /** Starts a copy, and ends it once it has said that this many versions are copied. */
  async function interruptedCopy(address: string, count: number, signal: NodeJS.Signals) {
    const child: ChildProcess = spawn(process.execPath, [MAIN, 'copy', '--from', docs, '--to', address], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const copy = new SpawnedServer(child);
    await copy.says(RegExp(`(?:.*\\n){${count}}`));
    return copy.stop(signal);
  }

  it('copy a directory to a store, to another prefix, and back to a directory, with equal versions', async () => {
    const { bucket, address, client } = await filledStore();
    const before = await contentOf(client);
    const other = `s3://${bucket.name}/other`;
    const second = await lectern(
      'copy',
      '--from',
      address,
      '--to',
      other,
      '--to-endpoint',
      ceph.endpoints[1],
    );
    assert.match(second.stdout, /\n10 copied, 0 already exist, 0 not copied\n$/);
    const back = join(place, 'back');
    assert.equal((await lectern('copy', '--from', other, '--to', back)).code, 0);
    assert.deepEqual(await versionsIn(back), await versionsIn(docs));
    assert.deepEqual(await contentOf(client), before);
    const again = await lectern('copy', '--from', back, '--to', other);
    assert.equal(again.stdout, '0 copied, 10 already exist, 0 not copied\n');
    assert.equal(
      (await lectern('verify', '--store', other)).stdout,
      '10 versions checked, 0 differed, 0 repaired\n',
    );
    await nothingTemporary();
  });

  it('prune a store by rules: a dry run changes nothing, and removed versions can be restored', async () => {
    const { address, client } = await filledStore();
    const rules = join(place, 'retention.json');
    await writeFile(rules, JSON.stringify({ keep_per_minor: 1 }));
    const args = ['prune', '--store', address, '--retention', rules];
    const before = await contentOf(client);
    const dry = await lectern(...args, '--dry-run');
    assert.deepEqual(
      [dry.code, dry.stdout],
      [0, 'Nothing would be removed: no retention rule applies\n'],
      dry.stderr,
    );
    // Each version is the only one of its minor, so two more are published.
    const more = join(place, 'more');
    await publishIn(more, { 'tool-1.3.1': { 'index.html': 'x' }, 'tool-1.3.2': { 'index.html': 'x' } });
    assert.deepEqual(await contentOf(client), before);
    assert.equal((await lectern('copy', '--from', more, '--to', address)).code, 0);
    const filled = await contentOf(client);
    const told = await lectern(...args, '--dry-run');
    assert.match(
      told.stdout,
      /^tool-1\.3: .*, keep_per_minor: .*\ntool-1\.3\.1: .*\n2 versions, .* would be removed\n$/,
    );
    assert.deepEqual(await contentOf(client), filled);
    const done = await lectern(...args);
    assert.deepEqual(
      [done.code, done.stdout],
      [0, told.stdout.replace('would be removed', 'removed')],
      done.stderr,
    );
    assert.equal((await keysOf(client, 'archive/')).length, 12);
    assert.equal(
      (await lectern('verify', '--store', address)).stdout,
      '10 versions checked, 0 differed, 0 repaired\n',
    );
    await nothingTemporary();
  });

  it('complete a killed copy when it is run again', async () => {
    const { name, open } = await makeBucket(ceph);
    const address = `s3://${name}/team`;
    const killed = await interruptedCopy(address, 3, 'SIGKILL');
    assert.equal(killed.signal, 'SIGKILL');
    const rest = await lectern('copy', '--from', docs, '--to', address);
    assert.equal(rest.code, 0);
    const [, copied, there] = /(\d+) copied, (\d+) already exist, 0 not copied/.exec(rest.stdout) ?? [];
    assert.ok(Number(there) >= 3 && Number(copied) > 0, rest.stdout);
    assert.equal(Number(there) + Number(copied), 10);
    assert.equal((await lectern('verify', '--store', address)).code, 0);
    const client = await open({ prefix: 'team/' });
    after(() => client.close());
    assert.equal((await keysOf(client, 'log/')).length, 10);
    for (const left of await readdir(join(place, 'tmp')))
      await rm(join(place, 'tmp', left), { recursive: true });
  });

  it('leave no temporary file when stopped by a signal, and nothing half done in the store', async () => {
    const { name, open } = await makeBucket(ceph);
    const address = `s3://${name}/team`;
    const stopped = await interruptedCopy(address, 2, 'SIGTERM');
    assert.equal(stopped.code, 143, stopped.stderr);
    assert.equal(stopped.stderr, 'lectern: stopped by SIGTERM\n');
    await nothingTemporary();
    const client = await open({ prefix: 'team/' });
    after(() => client.close());
    const commits = (await keysOf(client, 'log/')).length;
    assert.ok(commits >= 2 && commits < 10, String(commits));
    // Archive, index and commit of each, and `head`.
    assert.equal((await keysOf(client)).length, 3 * commits + 1);
    const verified = await lectern('verify', '--store', address);
    assert.equal(verified.stdout, `${commits} versions checked, 0 differed, 0 repaired\n`);
  });

  it('rebuild a missing and a damaged index with --repair, and change nothing without it', async () => {
    const { address, client } = await filledStore();
    const good = await contentOf(client);
    const [first = '', second = ''] = await keysOf(client, 'index/');
    await client.remove([first]);
    await client.put(second, Buffer.from('no index'));
    const damaged = await contentOf(client);
    const told = await lectern('verify', '--store', address);
    assert.equal(told.code, 1);
    assert.match(told.stdout, /^\S+: differs\n {2}its index is missing\n/m);
    assert.match(told.stdout, /^\S+: differs\n {2}its index is damaged\n/m);
    assert.match(told.stdout, /\n10 versions checked, 2 differed, 0 repaired\n$/);
    assert.deepEqual(await contentOf(client), damaged);
    const repaired = await lectern('verify', '--store', address, '--repair');
    assert.equal(repaired.code, 0);
    assert.match(repaired.stdout, /\n10 versions checked, 2 differed, 2 repaired\n$/);
    assert.deepEqual(await contentOf(client), good);
    await nothingTemporary();
  });

  it('name the versions with missing or damaged archives, which nothing repairs', async () => {
    const { address, client } = await filledStore();
    const [first = '', second = ''] = await keysOf(client, 'archive/');
    await client.remove([first]);
    await client.put(second, Buffer.from('no archive'));
    const before = await contentOf(client);
    const { code, stdout } = await lectern('verify', '--store', address, '--repair');
    assert.equal(code, 1);
    assert.match(stdout, /^tool-1\.0: differs\n {2}its archive is missing\n/m);
    assert.match(stdout, /^tool-1\.1: differs\n {2}its archive has 10 bytes instead of \d+\n/m);
    assert.match(stdout, /\n10 versions checked, 2 differed, 0 repaired\n$/);
    assert.deepEqual(await contentOf(client), before);
  });

  it('stop a verification at once on a signal, without temporary files', async () => {
    const { address, client } = await filledStore();
    await client.remove(await keysOf(client, 'index/'));
    const child = spawn(process.execPath, [MAIN, 'verify', '--store', address], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const verification = new SpawnedServer(child);
    await verification.says(/differs/);
    const { code, stderr } = await verification.stop('SIGINT');
    assert.deepEqual([code, stderr], [130, 'lectern: stopped by SIGINT\n']);
    await nothingTemporary();
  });

  it('refuse a location without documentation, and create nothing there', async () => {
    const { name, open } = await makeBucket(ceph);
    const before = await tree(docs);
    const empty = await lectern('verify', '--store', `s3://${name}/tean`, '--repair');
    assert.equal(empty.code, 2);
    assert.match(
      empty.stderr,
      /^lectern: the object store s3:\S+\/tean at http\S+: there is no documentation/,
    );
    const nothing = await lectern('copy', '--from', `s3://${name}/tean`, '--to', docs);
    assert.equal(nothing.code, 2);
    assert.match(nothing.stderr, /^lectern: the object store s3:\S+\/tean contains no versions\n$/);
    assert.deepEqual(await tree(docs), before);
    const client = await open();
    after(() => client.close());
    assert.deepEqual(await keysOf(client), []);
    const missing = await lectern('verify', '--store', 's3://no-such-bucket');
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /NoSuchBucket/);
    await nothingTemporary();
  });
});
