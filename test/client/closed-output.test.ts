import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../support/free-port.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { workplace, writeTree } from './lectern.js';

/** Larger than what a pipe holds. */
const LARGE = Buffer.alloc(1_000_000, 'abcdefgh');

describe('Output that nobody reads', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    await server.upload('widgets-1.0-docs.zip', {
      'index.html': '<title>Widgets</title><p>A widget.</p>',
      'large.bin': LARGE,
    });
    await server.isIndexed();
  });
  after(() => server.close());

  /** Starts `lectern` with a pipe as stdout, of which the other end is closed. */
  const start = (args: readonly string[]) => {
    const env = {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      LECTERN_URL: server.url,
      LECTERN_TOKEN: 'secret-ci',
    };
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: tmpdir(), env, stdio: 'pipe' });
    child.stdout.destroy();
    return child;
  };
  /** The exit code, and stderr. */
  const ended = async (args: readonly string[]) => {
    const { code, stderr } = await new SpawnedServer(start(args)).ended;
    return { code, stderr };
  };

  for (const args of [
    ['--help'],
    ['--version'],
    ['token'],
    ['projects'],
    ['projects', 'widgets', '--json'],
    ['search', 'widget'],
    ['status'],
  ]) {
    it(`is dropped by lectern ${args.join(' ')}`, async () => {
      assert.deepEqual(await ended(args), { code: 0, stderr: '' });
    });
  }

  it('aborts an archive written to it', async () => {
    const { code, stderr } = await ended(['download', 'widgets', '-o', '-']);
    assert.equal(code, 0);
    assert.match(stderr, /^wrote [\d.]+ [KM]iB\n$|^wrote \d+ bytes\n$/);
  });

  it("leaves the exit code to the command's result", async (context) => {
    assert.equal((await ended(['search', 'nothing-like-it'])).code, 6);
    assert.equal((await ended(['projects', 'wodgets'])).code, 6);
    const site = await writeTree(await workplace(context), { 'index.html': 'new' });
    assert.equal((await ended(['push', site, '--project', 'gadgets', '--version', '1.0'])).code, 0);
    assert.equal(await (await server.get('/gadgets-1.0/')).text(), 'new');
  });

  it('does not end a server', { timeout: 60_000 }, async (context) => {
    const docs = join(await workplace(context), 'docs');
    await writeTree(docs, { 'widgets-1.0/index.html': 'A widget' });
    const port = await freePort();
    const child = start([
      'serve',
      '-d',
      docs,
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--search',
      'off',
    ]);
    context.after(() => child.kill('SIGKILL'));
    const isReady = () => fetch(`http://127.0.0.1:${port}/widgets-1.0/`).then((response) => response.ok);
    await until(() => isReady().catch(() => false));
    assert.equal(child.exitCode, null);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
