import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isDone } from '../../src/node/system-errors.js';
import { fromClone, paste, type Shell, untimed, whileServing } from '../support/from-nothing.js';
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
  let shell: Shell;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-start-'));
    copy = join(place, 'copy');
    for (const name of await readdir(ROOT)) {
      if (!NOT_COPIED.test(name)) await cp(join(ROOT, name), join(copy, name), { recursive: true });
    }
    shell = { cwd: copy, env: process.env };
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  });
  after(() => rm(place, { recursive: true, force: true }));

  const start = (work: (server: SpawnedServer, address: string) => Promise<void>) =>
    whileServing('npm start', shell, work);

  const tokensFile = () => readFile(join(copy, 'data/tokens.json'), 'utf8');

  /** The token of the tokens file. */
  async function secret(): Promise<string> {
    const { tokens } = JSON.parse(await tokensFile()) as { tokens: Record<string, { token: string }> };
    return tokens.admin?.token ?? assert.fail();
  }

  it('creates ./data with a sample, and prints its token, and commands that publish and read the token when pasted', async () => {
    await start(async (server, address) => {
      await until(() => server.stdout.includes('\nToken:'));
      assert.equal((await stat(join(copy, 'data/tokens.json'))).mode & 0o777, 0o600);
      const [, token, read] = /^Token: +(\S+) +later: (.*)\n/m.exec(server.stdout) ?? [];
      assert.equal(token, await secret());
      assert.equal(await paste(read, shell), `${token}\n`);
      const [, push] = /^ {2}(LECTERN_URL=.* push .*)\n/m.exec(server.stdout) ?? [];
      assert.equal(await paste(push, shell), `${address}/hello-1.0.0/\n`);
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
    await paste('rm data/docs/kettle-1.4.0', shell);
    await start(async (server, address) => {
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

  it('ends with npm, when that gets SIGTERM', async () => {
    const env = { ...process.env, LECTERN_PORT: '0' };
    const npm = spawn('npm', ['start'], {
      cwd: copy,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(npm, 'exit');
    try {
      const address = await new SpawnedServer(npm).address();
      npm.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
      await assert.rejects(fetch(address));
    } finally {
      // A server that is left behind is in the group of npm.
      await isDone(['ESRCH'], (async () => process.kill(-(npm.pid ?? 0), 'SIGKILL'))());
    }
  });

  it('says in the words of the server that ./data has no tokens file', async () => {
    await paste('mv data/tokens.json data/kept.json', shell);
    await assert.rejects(paste('npm start', shell), ({ stderr }: { stderr: string }) => {
      assert.match(stderr, /^lectern: the tokens file data\/tokens\.json: no such file or directory$/m);
      assert.doesNotMatch(stderr, /start\.mjs:\d/);
      return true;
    });
    await paste('mv data/kept.json data/tokens.json', shell);
  });

  it("publishes a site by the README's commands, with packages that npm has just installed", async () => {
    await paste('rm -r data node_modules', shell);
    await fromClone(shell, untimed);
  });
});
