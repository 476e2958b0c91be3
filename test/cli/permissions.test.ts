import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { skipUnless, succeeds } from '../support/needs.js';
import { MAIN } from '../support/root.js';
import { type Ended, SpawnedServer } from '../support/spawned-server.js';

/** Root may do everything, permissions or not; so the program lays that down before it starts. */
const isRoot = process.getuid?.() === 0;
const WITHOUT_PRIVILEGE = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const;
const [setpriv, ...privileges] = WITHOUT_PRIVILEGE;
const permissions = skipUnless(
  process.platform !== 'win32' && (!isRoot || (await succeeds(setpriv, ...privileges, 'true'))),
  'permissions mean nothing to this user, and setpriv cannot change that here',
);

/** In a mount namespace of its own: nobody else sees that the directory is read-only, and it ends with the program. */
const MOUNTED = ['unshare', '--mount', 'sh', '-c'] as const;
const MOUNT = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const [unshare, ...sh] = MOUNTED;
const mounts = skipUnless(
  isRoot && (await succeeds(unshare, ...sh, 'mount --bind /mnt /mnt')),
  'nothing can be mounted here',
);

describe('A docs directory', { concurrency: 2, ...permissions }, () => {
  let place: string;
  let tokens: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-permissions-'));
    tokens = join(place, 'tokens.json');
    await writeFile(tokens, '{"tokens": {}}');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  function start(args: readonly string[], through: readonly string[] = isRoot ? WITHOUT_PRIVILEGE : []) {
    const [file = '', ...rest] = [...through, process.execPath, MAIN, '--port', '0', ...args];
    return new SpawnedServer(spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  function assertRefused({ code, stdout, stderr }: Ended, line: string): void {
    assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: `lectern: ${line}\n` });
  }

  /** Pages, list and download: the archive of a copied-in directory has to be built somewhere. */
  async function assertServed(server: SpawnedServer): Promise<void> {
    const url = await server.address();
    try {
      assert.equal(await (await fetch(`${url}/a-1.0/`)).text(), 'a page');
      assert.equal(((await (await fetch(`${url}/api/projects`)).json()) as { count: number }).count, 1);
      assert.equal((await fetch(`${url}/api/download/a/latest`)).status, 200);
    } finally {
      assert.equal((await server.stop()).code, 0);
    }
  }

  async function made(name: string): Promise<string> {
    const docs = join(place, name);
    await mkdir(join(docs, 'a-1.0'), { recursive: true });
    await writeFile(join(docs, 'a-1.0', 'index.html'), 'a page');
    return docs;
  }

  it('is refused when unreadable, with tokens and without', async () => {
    const docs = await made('unreadable');
    await chmod(docs, 0o300);
    for (const more of [[], ['--tokens', tokens]]) {
      assertRefused(
        await start(['-d', docs, ...more]).ended,
        `the docs directory ${docs}: permission denied`,
      );
    }
  });

  it('is refused with tokens when read-only, and served without tokens', async () => {
    const docs = await made('unwritable');
    await chmod(docs, 0o500);
    const refused = await start(['-d', docs, '--tokens', tokens]).ended;
    assertRefused(refused, `the docs directory ${docs}: permission denied`);
    await assertServed(start(['-d', docs]));
    assert.deepEqual(await readdir(docs), ['a-1.0']);
  });

  it('is refused with tokens on a read-only file system, and served without tokens', mounts, async () => {
    const docs = await made('mounted');
    const through = [...MOUNTED, MOUNT, docs];
    const refused = await start(['-d', docs, '--tokens', tokens], through).ended;
    assertRefused(refused, `the docs directory ${docs}: a read-only file system`);
    await assertServed(start(['-d', docs], through));
    assert.deepEqual(await readdir(docs), ['a-1.0']);
  });

  it('is not created in a directory that is not writable', async () => {
    await mkdir(join(place, 'closed'), { mode: 0o500 });
    const docs = join(place, 'closed', 'docs');
    assertRefused(await start(['-d', docs]).ended, `the docs directory ${docs}: permission denied`);
  });

  it('is not served with an unreadable tokens file', async () => {
    const closed = join(place, 'closed.json');
    await writeFile(closed, '{"tokens": {}}', { mode: 0o200 });
    const ended = await start(['-d', join(place, 'docs'), '--tokens', closed]).ended;
    assertRefused(ended, `the tokens file ${closed}: permission denied`);
  });
});

describe('A site with an unreadable file', permissions, () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-permissions-'));
    for (const version of ['1.0', '2.0']) {
      await mkdir(join(place, 'from', 'a', version), { recursive: true });
      await writeFile(join(place, 'from', 'a', version, 'index.html'), 'a page');
    }
    await chmod(join(place, 'from', 'a', '1.0', 'index.html'), 0o200);
  });
  after(async () => rm(place, { recursive: true, force: true }));

  async function lectern(...args: readonly string[]): Promise<Ended> {
    const [file = '', ...rest] = [...(isRoot ? WITHOUT_PRIVILEGE : []), process.execPath, MAIN, ...args];
    return new SpawnedServer(spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], cwd: place })).ended;
  }

  it('is not imported, unlike all other versions', async () => {
    const { code, stdout, stderr } = await lectern('import', 'directory', 'from', '-d', 'docs');
    assert.deepEqual([code, stderr], [1, '']);
    assert.match(
      stdout,
      /^a-1\.0: not imported: .*permission denied.*\na-2\.0: imported\n1 imported, 1 not imported\n$/,
    );
    assert.deepEqual((await readdir(join(place, 'docs'))).sort(), ['.lectern', 'a-2.0', 'a-2.0-docs.zip']);
  });

  it('is not pushed: the client names the file before it sends anything', async () => {
    const of = ['--project', 'a', '--version', '1.0', '--replace', '--token', 'x'];
    const { code, stderr } = await lectern('push', 'from/a/1.0', ...of, '--url', 'http://127.0.0.1:9');
    assert.equal(code, 2);
    assert.match(stderr, /^lectern: from\/a\/1\.0\/index\.html: permission denied\n$/m);
    assert.doesNotMatch(stderr, /packed|sending|\n {4}at /);
  });
});
