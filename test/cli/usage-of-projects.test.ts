import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { FilesystemUsageStore } from '../../src/adapters/filesystem/index.js';
import { lectern } from '../client/lectern.js';
import { publishIn } from '../support/docs-with-versions.js';
import { TestServer } from '../support/server.js';

const SITE = { 'index.html': 'x', 'install.html': 'x' };

describe('lectern usage', () => {
  let home: string;
  let docs: string;
  let server: TestServer;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    docs = join(home, 'docs');
    await publishIn(docs, { 'tool-1.0': SITE, 'tool-2.0': SITE });
    server = await TestServer.start({
      docs,
      usage: new FilesystemUsageStore(FilesystemUsageStore.directoryIn(docs)),
    });
  });
  after(async () => {
    await server.close();
    await rm(home, { recursive: true });
  });

  const today = new Date();
  const [, dayName, month, year] = today.toUTCString().split(' ');
  const line = (path: string, status = 200) =>
    `- - - [${dayName}/${month}/${year}:00:00:01 +0000] "GET ${path} HTTP/1.1" ${status} 5 "-" "Mozilla/5.0"\n`;
  const count = (...args: readonly string[]) => lectern(['usage', '-d', docs, ...args]);
  const shown = (...args: readonly string[]) => lectern(['usage', '--url', server.url, ...args]);

  it("counts a web server's log, however often, renamed and compressed, beside a running server", async () => {
    const log = join(home, 'own.log');
    const start = line('/tool-1.0/') + line('/tool-latest/install.html') + line('/tool-1.0/nope', 404);
    await writeFile(log, `${start}no line\n${line('/tool-1.0/', 500)}`);
    const first = await count('--access-log', log);
    assert.deepEqual(first, {
      code: 0,
      out: `${log}: reads: 2, requests for missing pages and files: 1, not counted: 1, lines that are not in the combined or common format: 1\n`,
      notes: '',
    });
    await writeFile(`${log}.1.gz`, gzipSync(start + line('/tool-1.0/')));
    assert.match(
      (await count('--access-log', log, '--access-log', `${log}.1.gz`)).out,
      /: reads: 2,[\s\S]*: reads: 3,/,
    );
    const { out, code } = await shown('tool');
    assert.equal(code, 0);
    const to = today.toISOString().slice(0, 10);
    assert.match(out, new RegExp(`^\\S+ to ${to}: 3 reads, 1 request for missing pages and files\n`));
    assert.equal(
      out.slice(out.indexOf('\n') + 1),
      'versions\n  2  1.0\n  1  2.0\npages\n  2  index.html\n  1  install.html\nmissing pages\n  1  nope\n',
    );
  });

  it("prints the server's report as JSON and as CSV", async () => {
    const { out } = await shown('tool', '--days', '7', '--json');
    assert.deepEqual(JSON.parse(out), await server.json('/api/projects/tool/usage?days=7'));
    const csv = await shown('tool', '--csv');
    assert.equal(csv.out, await (await server.get('/api/projects/tool/usage?format=csv')).text());
  });

  it('removes the path prefix from a log, and keeps the counts in the given directory', async () => {
    const [log, counts] = [join(home, 'prefix.log'), join(home, 'counts')];
    await writeFile(log, line('/docs/tool-1.0/'));
    const { out } = await count('--access-log', log, '--base-path', '/docs', '--usage-dir', counts);
    assert.match(out, /: reads: 1, requests for missing pages and files: 0, not counted: 0\n/);
    assert.deepEqual(await readdir(counts), ['tool']);
  });

  it('reports an error, and then counts nothing', async () => {
    const strange = join(home, 'strange.json');
    await writeFile(strange, '{"a":1}\n{"b":2}\n');
    for (const [args, code, message] of [
      [
        ['--access-log', strange],
        1,
        /: reads: 0, requests for missing pages and files: 0, .*lines that are not in the combined.*: 2/,
      ],
      [['--access-log', join(home, 'none.log')], 2, /the access log .*none\.log: .*no such file/i],
      [[], 2, /no server given/],
    ] as const) {
      const ended = await lectern(['usage', '-d', join(docs), ...args, '--usage-dir', join(home, 'new')]);
      assert.equal(ended.code, code, ended.notes);
      assert.match(ended.out + ended.notes, message);
    }
    assert.match((await lectern(['usage', '--access-log', strange])).notes, /-d <docs> is required/);
    const missing = join(home, 'missing');
    assert.deepEqual(await lectern(['usage', '-d', missing, '--access-log', strange]), {
      code: 2,
      out: '',
      notes: `lectern: the docs directory ${missing}: no such file or directory\n`,
    });
    await assert.rejects(readdir(missing), { code: 'ENOENT' });
    await assert.rejects(readdir(join(home, 'new')), { code: 'ENOENT' });
    assert.match((await shown('tool', '--days', '0')).notes, /--days: expected a number from 1 to 400/);
    assert.match((await shown('tol')).notes, /did you mean 'tool'/);
  });

  it('reports that a server counts nothing', async () => {
    const other = await TestServer.start();
    try {
      await other.upload('tool-1.0-docs.zip');
      const { code, notes } = await lectern(['usage', 'tool', '--url', other.url]);
      assert.match(notes, /does not count reads/);
      assert.notEqual(code, 0);
    } finally {
      await other.close();
    }
  });
});
