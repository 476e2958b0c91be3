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

/** What comes of building, testing and running; and what is linked instead of copied. */
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

  it('makes ./data, serves it, and prints commands that publish when they are pasted', async () => {
    await whileStarted(async (server, address) => {
      const [PUSH, CURL] = [/^ {2}(LECTERN_URL=.* push .*)\n/m, /^ {2}(curl .*)\n/m];
      await until(() => CURL.test(server.stdout));
      const paste = async (command: RegExp) => {
        const [, line = ''] = command.exec(server.stdout) ?? [];
        return (await promisify(execFile)('bash', ['-c', line], { cwd: copy })).stdout;
      };
      assert.equal((await stat(join(copy, 'data/tokens.json'))).mode & 0o777, 0o600);
      assert.equal(await paste(PUSH), `${address}/hello-1.0.0/\n`);
      assert.match(await (await fetch(`${address}/hello-1.0.0/`)).text(), /<h1>Hello<\/h1>/);
      await until(() => /"path":"\/api\/upload".*"status":201/.test(server.stderr));
      const { success, url } = JSON.parse(await paste(CURL)) as { success: boolean; url: string };
      assert.deepEqual([success, url], [true, '/hello-1.0.0/']);
    });
  });

  it('takes ./data as it is the next time, and prints the address of the upload page, with the token beside it', async () => {
    const before = await tokensFile();
    const { admin } = (JSON.parse(before) as { tokens: Record<string, { token: string }> }).tokens;
    await whileStarted(async (server, address) => {
      assert.equal((await fetch(`${address}/hello-1.0.0/`)).status, 200);
      assert.equal(await tokensFile(), before);
      await until(() => server.stdout.includes('or with curl'));
      assert.ok(server.stdout.includes(`${address}/-/upload    token: ${admin?.token}\n`), server.stdout);
      assert.equal((await fetch(`${address}/-/upload`)).status, 200);
    });
  });
});
