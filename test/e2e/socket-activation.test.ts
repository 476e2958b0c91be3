import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { skipUnless, succeeds } from '../support/needs.js';
import { MAIN, ROOT } from '../support/root.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';

/** Fake systemd: opens a socket, prints its port, and becomes the server when it is told to. */
const SYSTEMD = `
import os, socket, sys
held = socket.create_server(('127.0.0.1', 0))
print('port', held.getsockname()[1], flush=True)
sys.stdin.readline()
os.dup2(held.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS=sys.argv[1], LISTEN_PID=sys.argv[2] or str(os.getpid()))
os.execvp(sys.argv[3], sys.argv[3:])
`;

const needsPython = skipUnless(await succeeds('python3', '--version'), 'python3 is not installed');

describe('A server started by socket activation', () => {
  let place: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-socket-'));
    await mkdir(join(place, 'docs/a-1.0'), { recursive: true });
    await writeFile(join(place, 'docs/a-1.0/index.html'), 'a');
  });
  after(async () => rm(place, { recursive: true, force: true }));

  async function open(fds: string, pid = '') {
    const server = [process.execPath, MAIN, '-d', join(place, 'docs'), '--port', '0'];
    const child = spawn('python3', ['-c', SYSTEMD, fds, pid, ...server], { cwd: ROOT });
    const spawned = new SpawnedServer(child);
    await until(() => spawned.stdout.includes('\n'));
    const url = `http://127.0.0.1:${/port (\d+)/.exec(spawned.stdout)?.[1]}`;
    return { spawned, url, start: () => child.stdin.end('\n') };
  }

  it(
    'responds on the socket, whatever --port says, also to clients that connected before it ran',
    needsPython,
    async () => {
      const { spawned, url, start } = await open('1');
      const early = fetch(`${url}/a-1.0/`);
      start();
      assert.equal(await (await early).text(), 'a');
      assert.equal(await spawned.address(), url);
      assert.equal((await spawned.stop()).code, 0);
    },
  );

  it('ignores a socket meant for another process', needsPython, async () => {
    const { spawned, url, start } = await open('1', '1');
    start();
    assert.notEqual(await spawned.address(), url);
    await spawned.stop();
  });

  it('does not start with several sockets', needsPython, async () => {
    const { spawned, start } = await open('2');
    start();
    const { code, stderr } = await spawned.ended;
    assert.deepEqual([code, stderr], [2, 'lectern: LISTEN_FDS: expected 1 socket, not 2\n']);
  });
});
