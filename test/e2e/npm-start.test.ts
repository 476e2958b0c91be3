import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { skipUnless, succeeds } from '../support/needs.js';
import { ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';

/** Files of Git, builds, tests and runs; and packages, which are linked instead of copied. */
const NOT_COPIED = /^(?:\.git|\.corpus|node_modules|data|coverage|dist(?:\..*)?)$/;
const needed = skipUnless(
  (await succeeds('curl', '--version')) && (await succeeds('bash', '--version')),
  'there is no curl or no bash on this machine',
);

describe('npm start on a bare copy of the project', needed, () => {
  let place: string;
  let copy: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-start-'));
    copy = join(place, 'copy');
    for (const name of await readdir(ROOT)) {
      if (!NOT_COPIED.test(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  /** Runs it on a free port, since 8080 may be someone else's, and ends it with all that it has started. */
  async function whileStarted(
    work: (server: SpawnedServer, address: string) => Promise<void>,
  ): Promise<void> {
    const child = spawn('npm', ['start', '--', '--port', '0'], {
      cwd: copy,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new SpawnedServer(child);
    try {
      await work(server, await server.address());
    } finally {
      process.kill(-server.pid, 'SIGTERM');
      await server.ended;
    }
  }

  const tokensFile = () => readFile(join(copy, 'data/tokens.json'), 'utf8');

  /** The token of the tokens file. */
  async function secret(): Promise<string> {
    const { tokens } = JSON.parse(await tokensFile()) as { tokens: Record<string, { token: string }> };
    return tokens.admin?.token ?? assert.fail();
  }

  async function paste(command: string | undefined): Promise<string> {
    return (await promisify(execFile)('bash', ['-c', command ?? assert.fail()], { cwd: copy })).stdout;
  }

  it('creates ./data with a sample, and prints its token, and commands that publish and read the token when pasted', async () => {
    await whileStarted(async (server, address) => {
      await until(() => server.stdout.includes('\nToken:'));
      assert.equal((await stat(join(copy, 'data/tokens.json'))).mode & 0o777, 0o600);
      const [, token, read] = /^Token: +(\S+) +later: (.*)\n/m.exec(server.stdout) ?? [];
      assert.equal(token, await secret());
      assert.equal(await paste(read), `${token}\n`);
      const [, push] = /^ {2}(LECTERN_URL=.* push .*)\n/m.exec(server.stdout) ?? [];
      assert.equal(await paste(push), `${address}/hello-1.0.0/\n`);
      assert.match(await (await fetch(`${address}/hello-1.0.0/`)).text(), /<h1>Hello<\/h1>/);

      const json = async (path: string) => (await fetch(`${address}${path}`)).json();
      const compared = {
        changed_count: 2,
        added_count: 2,
        removed_count: 2,
        moved: ['/kettle-2.0.0/timers.html'],
      };
      const { changed_count, added_count, removed_count } = await json('/api/compare/kettle/1.4.0/2.0.0');
      const moved = await fetch(`${address}/kettle-2.0.0/schedule.html`, { redirect: 'manual' });
      assert.deepEqual(
        { changed_count, added_count, removed_count, moved: [moved.headers.get('location')] },
        compared,
      );
      assert.equal((await fetch(`${address}/kettle~pr-42/`)).status, 200);
      assert.match(await (await fetch(`${address}/kettle-latest/`)).text(), /switcher\.js/);
      assert.equal((await fetch(`${address}/-/projects/kettle/usage`)).status, 200);
      await until(async () => {
        const { results } = await json('/api/search?q=kettle.KettleTimeout');
        return results?.[0]?.anchor === 'kettle.KettleTimeout';
      });
    });
  });

  it('keeps an existing ./data, and prints the path of the token, not the token', async () => {
    const before = await tokensFile();
    await paste('rm data/docs/kettle-1.4.0');
    await whileStarted(async (server, address) => {
      await until(() => server.stdout.includes('\nToken:'));
      assert.equal((await fetch(`${address}/hello-1.0.0/`)).status, 200);
      assert.equal((await fetch(`${address}/kettle-1.4.0/`)).status, 404);
      assert.equal(await tokensFile(), before);
      assert.match(server.stdout, /\nToken: +as data\/tokens\.json has it\n/);
      assert.ok(!server.stdout.includes(await secret()));
      assert.ok(server.stdout.includes(`${address}/-/upload\n`), server.stdout);
      assert.equal((await fetch(`${address}/-/upload`)).status, 200);
    });
  });
});
