import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MAIN } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { run } from '../support/spawned-server.js';
import { contents } from '../support/tree.js';

describe('lectern serve on a docs directory of an older layout', () => {
  it('ends with 2, changes nothing, and names the commands that upload everything to a new directory', async (t) => {
    const place = await mkdtemp(join(tmpdir(), "lectern-it's older-"));
    t.after(() => rm(place, { recursive: true }));
    const docs = join(place, 'docs');
    await mkdir(docs);
    const names = ['my-project-1.0', 'my-project-2.0', 'tool-main'];
    const before = await TestServer.start({ docs });
    for (const name of names) await before.upload(`${name}-docs.zip`, { 'index.html': name });
    await before.close();
    await rm(join(docs, '.lectern/format'));
    const found = contents(docs);

    const { code, stderr } = await run(['serve', '-d', docs, '--port', '0']);
    assert.equal(code, 2, stderr);
    assert.equal(stderr.trimEnd().split('\n').length, 1);
    const [, loop = assert.fail(stderr)] = /LECTERN_TOKEN set: (.*)$/m.exec(stderr) ?? [];
    assert.deepEqual(contents(docs), found);

    const bin = join(place, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'lectern'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
      mode: 0o755,
    });
    const server = await TestServer.start();
    t.after(() => server.close());
    const env = { PATH: `${bin}:${process.env.PATH}`, LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    // Twice: it goes on where it was interrupted.
    for (const _ of [1, 2]) await promisify(execFile)('sh', ['-e', '-c', loop], { cwd: docs, env });
    for (const name of names) assert.equal(await (await server.get(`/${name}/`)).text(), name);
    assert.deepEqual(contents(docs), found);
  });
});
