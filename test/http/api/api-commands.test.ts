import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { TestServer } from '../../support/server.js';
import { zipOf } from '../../support/zip-writer.js';

const run = promisify(execFile);
const SITE = { 'index.html': '<title>front</title><h1>How to install</h1>' };

/** The commands of `/-/api` are run as they stand there, against this server. */
describe('The commands of the API reference', () => {
  let server: TestServer;
  let work: string;
  before(async () => {
    const rights = { allowOverwrite: true, allowDelete: true, allowManage: true, allowTokens: true };
    server = await TestServer.start({
      keepRemovedMs: 3_600_000,
      search: new MemorySearchIndex(),
      usage: new MemoryUsageStore(),
      tokens: new MemoryTokenRegistry([{ name: 'team-a', secret: 'secret-admin', ...rights }]),
    });
    work = await mkdtemp(join(tmpdir(), 'lectern-api-'));
    await writeFile(join(work, 'my-project-1.0.0-docs.zip'), zipOf(SITE));
    await server.upload('my-project-1.1.0-docs.zip', SITE);
    await server.upload('my-project~pr-123-docs.zip', SITE);
  });
  after(async () => {
    await server.close();
    await rm(work, { recursive: true, force: true });
  });

  it('work in the order of the page', async () => {
    const html = await (await server.get('/-/api')).text();
    const commands = [...html.matchAll(/<code>(curl [^<]*)<\/code>/g)].map(([, command = '']) =>
      command.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
    const { paths } = await server.json('/api/spec');
    assert.equal(commands.length, Object.values(paths).flatMap((item) => Object.keys(item as object)).length);
    for (const command of commands) {
      const failing = command.replace(/^curl/, 'curl -sS --fail-with-body');
      // Otherwise bash reads ~/.bashrc: its input is a socket, as Node's pipes are, and SHLVL is not set.
      await run('bash', ['--norc', '-ec', failing], {
        cwd: work,
        env: { PATH: process.env.PATH, LECTERN_TOKEN: 'secret-admin' },
      });
    }
    assert.ok((await readFile(join(work, 'my-project-1.1.0-docs.zip'))).length > 0);
    assert.equal((await server.get('/my-project-1.0.0/')).status, 200);
    assert.equal((await server.get('/my-project~pr-123/')).status, 404);
  });
});
