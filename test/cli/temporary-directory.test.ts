import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { run } from '../support/spawned-server.js';

for (const command of ['prune', 'copy']) {
  it(`reports a missing temporary directory in one line, and changes nothing: ${command}`, async (t) => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-interruptible-'));
    t.after(() => rm(docs, { recursive: true, force: true }));
    const missing = join(docs, 'missing');
    const args = command === 'copy' ? ['--from', docs, '--to', join(docs, 'target')] : ['-d', docs];
    const { code, stderr } = await run([command, ...args], { TMPDIR: missing });
    const line = `lectern: the temporary directory ${missing}: no such file or directory\n`;
    assert.deepEqual([code, stderr], [2, line]);
    assert.deepEqual(await readdir(docs), []);
  });
}
