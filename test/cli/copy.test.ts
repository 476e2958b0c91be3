import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readCopyRequest } from '../../src/adapters/cli/commands/local/copy.js';
import { publishIn, versionsIn } from '../support/docs-with-versions.js';
import { FAKE_CREDENTIALS, startFakeS3 } from '../support/fake-s3.js';
import { MAIN } from '../support/root.js';
import { runAgain, SpawnedServer } from '../support/spawned-server.js';
import { tree } from '../support/tree.js';
import { until } from '../support/until.js';

describe('The options of lectern copy', () => {
  it('begin with --from and --to, both required', async () => {
    const { stdout } = await runAgain(['copy', '--help']);
    assert.match(stdout, /\nOptions:\n {2}--from <place> .*\n {2}--to <place> /);
  });

  it('take a directory or an object store on either side', () => {
    assert.deepEqual(readCopyRequest({ from: 'docs', to: 's3://bucket/team' }, {}), {
      from: { scheme: 'file', at: 'docs' },
      to: {
        scheme: 's3',
        at: { address: 's3://bucket/team', endpoint: undefined, region: undefined, isOnlyWriter: false },
      },
      auditLog: undefined,
    });
  });

  it('configure both stores alike, unless one side has its own option', () => {
    const flags = {
      from: 's3://one',
      to: 's3://two',
      storeEndpoint: 'https://a',
      storeRegion: 'x',
      toEndpoint: 'https://b',
      toRegion: 'y',
      singleWriter: true,
      auditLog: '/var/log/changes',
    };
    assert.deepEqual(readCopyRequest(flags, {}), {
      from: {
        scheme: 's3',
        at: { address: 's3://one', endpoint: 'https://a', region: 'x', isOnlyWriter: false },
      },
      to: {
        scheme: 's3',
        at: { address: 's3://two', endpoint: 'https://b', region: 'y', isOnlyWriter: true },
      },
      auditLog: '/var/log/changes',
    });
    const { to } = readCopyRequest({ from: 'a', to: 's3://two' }, { LECTERN_STORE_ENDPOINT: 'https://c' });
    assert.deepEqual(to.at, {
      address: 's3://two',
      endpoint: 'https://c',
      region: undefined,
      isOnlyWriter: false,
    });
  });

  for (const [what, flags, message] of [
    ['no source', { to: 'b' }, /--from is required: a docs directory, or an object store/],
    ['no target', { from: 'a' }, /--to is required/],
    [
      'an endpoint without a store',
      { from: 'a', to: 'b', storeEndpoint: 'https://c' },
      /--store-endpoint works only/,
    ],
    [
      'a single writer of a directory',
      { from: 's3://abc', to: 'b', singleWriter: true },
      /--single-writer works only with an object store in --to/,
    ],
    [
      'an endpoint of a directory',
      { from: 'a', to: 's3://b', fromEndpoint: 'https://c' },
      /--from-endpoint works only/,
    ],
    [
      'an endpoint with a path',
      { from: 'a', to: 's3://b', toEndpoint: 'https://c/d' },
      /--to-endpoint: .*without a path/,
    ],
  ] as const) {
    it(`are refused: ${what}`, () => {
      assert.throws(() => readCopyRequest(flags, {}), { name: 'StartError', message });
    });
  }

  it('are not read from the environment for the locations', () => {
    assert.throws(() => readCopyRequest({ to: 'b' }, { LECTERN_FROM: 'a' }), /--from is required/);
  });

  it('never print an endpoint, which may contain a password', () => {
    assert.throws(
      () => readCopyRequest({ from: 'a', to: 's3://b', toEndpoint: 'https://me:secret@c' }, {}),
      ({ message }: Error) => !message.includes('secret'),
    );
  });
});

describe('lectern copy of private projects', () => {
  let place: string;
  let from: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    from = join(place, 'from');
    await publishIn(from, { 'vault-1.0': { 'index.html': 'a secret' } });
    const rules = join(place, 'access.json');
    await writeFile(rules, '{"default": "public", "projects": {"vault": "signed-in"}}');
    await (await SpawnedServer.start(['-d', from, '--access', rules, '--search', 'off'])).stop();
  });
  after(() => rm(place, { recursive: true, force: true }));

  const format = (docs: string) => readFile(join(docs, '.lectern/format'), 'utf8');
  const refused = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const { code, stderr } = await runAgain([...args, '--port', '0'], env);
    assert.equal(code, 2, stderr);
    assert.match(stderr, /projects in it are private: start with --access/);
  };

  it('marks the directory private, so that no server without rules starts on it, and creates no links for web servers', async () => {
    const to = join(place, 'to');
    await publishIn(to, { 'shown-1.0': { 'index.html': 'of the target' } });
    assert.equal(await format(to), '2\n');
    const { code, stdout } = await runAgain(['copy', '--from', from, '--to', to]);
    assert.deepEqual([code, stdout], [0, 'vault-1.0: copied\n1 copied, 0 already exist, 0 not copied\n']);
    assert.equal(await format(to), '3\n');
    const links = await readdir(join(to, '.lectern/public'));
    assert.deepEqual(
      links.filter((name) => name.startsWith('vault')),
      [],
    );
    await refused(['-d', to]);
  });

  it('marks the object store private before its first object, and a directory copied from it', async (t) => {
    const fake = await startFakeS3();
    t.after(() => fake.close());
    const store = ['s3://bucket/docs', '--store-endpoint', fake.endpoint];
    const env = {
      AWS_ACCESS_KEY_ID: FAKE_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: FAKE_CREDENTIALS.secretAccessKey,
    };
    const there = await runAgain(['copy', '--from', from, '--to', ...store], env);
    assert.equal(there.code, 0, there.stderr);
    const [first] = [...fake.objects].filter(([key]) => key.includes('/log/'));
    assert.match(String(first?.[1]), /"kind":"privacy","isOn":true/);
    await refused(['--store', ...store, '--cache-dir', join(place, 'cache')], env);
    const back = join(place, 'back');
    const again = await runAgain(['copy', '--from', ...store, '--to', back], env);
    assert.equal(again.code, 0, again.stderr);
    await refused(['-d', back]);
  });

  it('marks nothing where no project may be private', async () => {
    const [open, to] = [join(place, 'open'), join(place, 'open-copy')];
    await publishIn(open, { 'tool-1.0': { 'index.html': 'one' } });
    assert.equal((await runAgain(['copy', '--from', open, '--to', to])).code, 0);
    assert.equal(await format(to), '2\n');
  });
});

describe('lectern copy from directory to directory', () => {
  let place: string;
  let from: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    from = join(place, 'from');
    await publishIn(from, {
      'tool-1.0': { 'index.html': 'one', 'docinfo.yaml': 'name: A Tool' },
      'tool-2.0': { 'index.html': 'two' },
    });
  });
  after(() => rm(place, { recursive: true, force: true }));

  it('gives the target the same versions, changes nothing at the source, and is repeatable', async () => {
    const to = join(place, 'to');
    const before = await tree(from);
    const first = await runAgain(['copy', '--from', from, '--to', to]);
    assert.deepEqual([first.code, first.stderr], [0, '']);
    assert.equal(
      first.stdout,
      'tool-1.0: copied\ntool-2.0: copied\n2 copied, 0 already exist, 0 not copied\n',
    );
    const versions = await versionsIn(from);
    assert.deepEqual(await versionsIn(to), versions);
    assert.equal(versions[0]?.record.token, 'token of tool-1.0');
    const copied = await tree(to);
    const again = await runAgain(['copy', '--from', from, '--to', to]);
    assert.deepEqual([again.code, again.stdout], [0, '0 copied, 2 already exist, 0 not copied\n']);
    assert.deepEqual(await tree(to), copied);
    assert.deepEqual(await tree(from), before);
  });

  it('ends with 1 where another archive or directory has the name, and keeps both', async () => {
    const to = join(place, 'taken');
    // But for the links of web servers, which follow whatever is there.
    const published = async () => (await tree(to)).filter((line) => !line.startsWith('.lectern/public/'));
    await publishIn(to, { 'tool-1.0': { 'index.html': 'of the target' } });
    await mkdir(join(to, 'tool-2.0'));
    await writeFile(join(to, 'tool-2.0', 'index.html'), 'copied in');
    const before = await published();
    const { code, stdout } = await runAgain(['copy', '--from', from, '--to', to]);
    assert.equal(code, 1);
    assert.equal(
      stdout,
      'tool-1.0: not copied: another archive already exists there under this name\n' +
        'tool-2.0: not copied: a copied-in directory already exists there under this name\n' +
        '0 copied, 0 already exist, 2 not copied\n',
    );
    assert.deepEqual(await published(), before);
  });

  it('converts a copied-in directory to an upload, and reports it', async () => {
    const copiedIn = join(place, 'copied-in');
    await mkdir(join(copiedIn, 'notes-1.0'), { recursive: true });
    await writeFile(join(copiedIn, 'notes-1.0', 'index.html'), 'a note');
    const to = join(place, 'uploads');
    const { code, stdout } = await runAgain(['copy', '--from', copiedIn, '--to', to]);
    assert.equal(code, 0);
    assert.match(stdout, /^notes-1\.0: copied: a copied-in directory; it becomes an upload there\n/);
    assert.equal((await versionsIn(to))[0]?.origin, 'upload');
    assert.match(
      (await runAgain(['copy', '--from', copiedIn, '--to', to])).stdout,
      /^0 copied, 1 already exist/,
    );
  });

  it('ends at once at the second signal while a store stalls, without temporary files', async (t) => {
    let asked = 0;
    const stalling = createServer(() => {
      asked += 1;
    }).listen(0, '127.0.0.1');
    t.after(() => stalling.close());
    await once(stalling, 'listening');
    const temporary = join(place, 'tmp');
    await mkdir(temporary);
    const { port } = stalling.address() as AddressInfo;
    const to = ['--to', 's3://bucket/docs', '--store-endpoint', `http://127.0.0.1:${port}`];
    const child = spawn(process.execPath, [MAIN, 'copy', '--from', from, ...to], {
      env: { ...process.env, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const copy = new SpawnedServer(child);
    await until(() => asked > 0);
    assert.equal((await readdir(temporary)).length, 1);
    process.kill(copy.pid, 'SIGTERM');
    // Two signals of one kind are one for as long as the first is pending.
    await until(async () => !(await isPending(copy.pid, constants.signals.SIGTERM)));
    assert.equal((await copy.stop('SIGTERM')).code, 143);
    assert.deepEqual(await readdir(temporary), []);
  });

  for (const [what, args, message] of [
    [
      'the same directory twice',
      ['--from', 'from', '--to', './x/../from'],
      /--from and --to are the same directory/,
    ],
    ['a missing source', ['--from', 'nowhere', '--to', 'never'], /the docs directory nowhere: no such file/],
    [
      'a source without versions',
      ['--from', 'empty', '--to', 'never'],
      /the docs directory empty contains no versions/,
    ],
    [
      'the same object store twice',
      ['--from', 's3://bucket/docs', '--to', 's3://bucket/docs/'],
      /--from and --to are the same object store/,
    ],
    [
      'nested object stores',
      ['--from', 's3://bucket', '--to', 's3://bucket/docs'],
      /--from and --to overlap/,
    ],
  ] as const) {
    it(`refuses ${what}, and creates nothing`, async () => {
      await mkdir(join(place, 'empty'), { recursive: true });
      await mkdir(join(place, 'x'), { recursive: true });
      const before = await tree(from);
      const { code, stderr } = await runAgain(['copy', ...args], {}, place);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1, stderr);
      assert.deepEqual(await tree(from), before);
      const names = await readdir(place);
      assert.ok(!names.includes('never') && !names.includes('nowhere'), String(names));
    });
  }
});

/** Whether a process has not taken a signal yet. */
async function isPending(pid: number, signal: number): Promise<boolean> {
  const [, pending = ''] = /^ShdPnd:\s*(\w+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return ((BigInt(`0x${pending}`) >> BigInt(signal - 1)) & 1n) === 1n;
}
