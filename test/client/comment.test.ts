import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { commentOn } from '../../src/adapters/cli/commands/push/push.js';
import { TestServer } from '../support/server.js';
import { tree } from '../support/tree.js';
import { fakeServer, json, refusal } from './fake-server.js';
import { lectern, workplace, writeTree } from './lectern.js';

describe('The comment of a push', () => {
  it('has the address, the changes since the version before, and the address that shows them', () => {
    const changes = {
      before: '1.9',
      counts: '3 pages changed, 1 added, 2 removed',
      url: 'https://docs.example.org/-/compare/widgets/1.9/~pr-7',
    };
    assert.equal(
      commentOn('widgets~pr-7', 'https://docs.example.org/widgets~pr-7/', changes),
      'Documentation of `widgets~pr-7`: <https://docs.example.org/widgets~pr-7/>\n' +
        '\nSince `1.9`: 3 pages changed, 1 added, 2 removed. ' +
        '[See what changed](<https://docs.example.org/-/compare/widgets/1.9/~pr-7>)\n',
    );
  });

  it('cannot be altered by markup in a name or an address', () => {
    const hostile = '`<img src=x onerror=alert(1)>\n\n# [x](javascript:1) @everyone `` ~~';
    const text = commentOn(hostile, `http://d/${hostile}/`, {
      before: hostile,
      counts: '1 page changed',
      url: `http://d/${hostile}> <script>`,
    });
    const lines = text.split('\n');
    assert.deepEqual([lines.length, lines[1], lines[3]], [4, '', '']);
    for (const line of [lines[0] ?? '', lines[2] ?? '']) {
      // Outside of a code span and an address in angle brackets, all words are our own.
      const rest = line.replace(/`[^`]+`/, 'NAME').replace(/<http:\/\/d\/[^<> \n]+>/, 'ADDRESS');
      assert.match(
        rest,
        /^(?:Documentation of NAME: ADDRESS|Since NAME: 1 page changed\. \[See what changed\]\(ADDRESS\))$/,
      );
    }
  });
});

describe('lectern push --comment', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const page = (text: string) => `<main><p>${text}</p></main>`;

  async function push(context: TestContext, text: string, ...args: readonly string[]) {
    const cwd = await writeTree(await workplace(context), { 'site/index.html': page(text) });
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    const run = await lectern(['push', 'site', '--comment', 'comment.md', ...args], { cwd, env });
    const comment = await readFile(join(cwd, 'comment.md'), 'utf8').catch(() => undefined);
    return { ...run, comment };
  }

  it('writes the published address and the changes to the file', async (context) => {
    const first = await push(context, 'one', '--project', 'told', '--version', '1.0');
    assert.equal(first.comment, `Documentation of \`told 1.0\`: <${server.url}/told-1.0/>\n`, first.notes);
    const { out, comment, notes } = await push(context, 'two', '--project', 'told', '--preview', 'pr-7');
    assert.equal(out, `${server.url}/told~pr-7/\n`, notes);
    const address = `${server.url}/-/compare/told/1.0/~pr-7`;
    assert.equal(
      comment,
      `Documentation of \`told~pr-7\`: <${server.url}/told~pr-7/>\n` +
        `\nSince \`1.0\`: 1 page changed, 0 added, 0 removed. [See what changed](<${address}>)\n`,
    );
    assert.equal((await fetch(address)).status, 200);
  });

  it('reports that the server still compares', async (context) => {
    const list = {
      count: 1,
      projects: [
        {
          name: 'A',
          directory_name: 'a',
          description: '',
          latest_version_dir: 'a-1.0',
          versions: [{ version: '1.0', directory_name: 'a-1.0', url: '/a-1.0/', download_url: '/x' }],
        },
      ],
    };
    const upload = { message: 'done', project: 'a', version: 'x', directory: 'a~x' };
    // A comparison for which the client does not wait.
    const later = refusal(503, 'unavailable', { 'Retry-After': '3600' });
    const fake = await fakeServer([json(201, upload), json(200, list), later]);
    context.after(() => fake.close());
    const cwd = await writeTree(await workplace(context), { 'site/index.html': 'x' });
    const args = ['push', 'site', '--project', 'a', '--preview', 'x', '--comment', 'comment.md'];
    const env = { LECTERN_URL: fake.url, LECTERN_TOKEN: 's' };
    const { code, notes } = await lectern(args, { cwd, env });
    assert.equal(code, 0, notes);
    const address = `${fake.url}/-/compare/a/1.0/~x`;
    assert.ok(notes.endsWith(`since 1.0: pages are still being compared; see ${address}\n`), notes);
    assert.equal(
      await readFile(join(cwd, 'comment.md'), 'utf8'),
      `Documentation of \`a~x\`: <${fake.url}/a~x/>\n` +
        `\nSince \`1.0\`: pages are still being compared. [See what changed](<${address}>)\n`,
    );
  });

  it('names a version that already exists, with --skip-existing', async (context) => {
    await server.upload('there-1.0-docs.zip');
    const args = ['--project', 'there', '--version', '1.0', '--skip-existing'];
    const { code, comment } = await push(context, 'x', ...args);
    assert.deepEqual([code, comment], [0, `Documentation of \`there 1.0\`: <${server.url}/there-1.0/>\n`]);
  });

  it('writes nothing in a dry run', async (context) => {
    const args = ['--project', 'dry', '--version', '1.0', '--dry-run'];
    const { code, comment, notes } = await push(context, 'x', ...args);
    assert.deepEqual([code, comment], [0, undefined], notes);
  });

  it('publishes nothing when the file cannot be written', async (context) => {
    const site = await writeTree(await workplace(context), { 'index.html': 'x' });
    const before = await tree(server.docs);
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret-ci' };
    const file = join(site, 'nowhere/comment.md');
    const args = ['push', site, '--project', 'unsaid', '--version', '1.0', '--comment', file];
    const { code, out, notes } = await lectern(args, { env });
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.ok(notes.includes(`lectern: ${file}: no such file or directory\n`), notes);
    assert.deepEqual(await tree(server.docs), before);
  });
});
