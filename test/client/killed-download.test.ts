import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { lectern, workplace } from './lectern.js';

describe('A killed download to stdout', () => {
  it('leaves nothing in the temporary directory that the next download does not remove', async (t) => {
    const server = await TestServer.start();
    t.after(() => server.close());
    // Larger than what a pipe holds.
    await server.upload('widgets-1.0-docs.zip', { 'index.html': '', 'large.bin': randomBytes(500_000) });
    const temporary = await workplace(t);
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', LECTERN_URL: server.url, TMPDIR: temporary };
    const download = ['download', 'widgets', '-o', '-'];
    const stuck = spawn(process.execPath, [MAIN, ...download], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => stuck.kill('SIGKILL'));
    await once(stuck.stdout, 'readable');
    await until(async () => (await readdir(temporary)).length === 1);
    stuck.kill('SIGKILL');
    await once(stuck, 'exit');
    assert.equal((await readdir(temporary)).length, 1);
    const { code } = await lectern(download, { env });
    assert.equal(code, 0);
    assert.deepEqual(await readdir(temporary), []);
  });
});
