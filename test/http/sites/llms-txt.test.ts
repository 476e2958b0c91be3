import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '../../support/ask-host.js';
import { TestServer } from '../../support/server.js';

const page = (title: string) => `<title>${title} - Kettle</title><h1>${title}</h1>`;

describe('llms.txt', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const many = Array.from({ length: 800 }, (_, n) => [
      `api/${n < 700 ? 'many' : 'few'}/p${n}.html`,
      page(`P${n}`),
    ]);
    await server.upload('kettle-1.0-docs.zip', { 'index.html': page('Front') });
    await server.upload('kettle-2.0-docs.zip', {
      'docinfo.json': '{"name": "The Kettle", "description": "Heats [water]"}',
      'index.html': `${page('Front')}<nav><a href="guide/">Guide</a> <a href="./start.html#x">Start</a> <a href="none.html">`,
      'a.html': page('First by path'),
      'guide/index.html': page('Guide'),
      'start.html': page('Start'),
      'style.css': 'p{}',
      '404.html': page('Nothing'),
    });
    await server.upload('large-1.0-docs.zip', { 'index.html': 'front', ...Object.fromEntries(many) });
    await server.upload('long-1.0-docs.zip', {
      'index.html': '<title>Front</title>',
      'bracket.html': `<title>${'x'.repeat(99)}[y]</title>`,
      'smile.html': `<title>${'x'.repeat(99)}😀</title>`,
    });
    await server.upload('own-1.0-docs.zip', { 'index.html': 'front', 'llms.txt': 'By the site' });
  });
  after(() => server.close());

  const sent = async (path: string) => {
    const answer = await server.get(path);
    assert.deepEqual([path, answer.status], [path, 200]);
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    return answer.text();
  };
  const links = (text: string) => Array.from(text.matchAll(/\]\(([^)]*)\)/g), ([, link = '']) => link);

  it('lists all projects of the server with their latest versions', async () => {
    assert.match(
      await sent('/llms.txt'),
      /^# Documentation\n\n> .*\n\n.*\n\n## Projects\n\n- \[The Kettle 2\.0\]\(\/kettle-latest\/llms\.txt\): Heats \\\[water\\\]\n- \[Large 1\.0\]/,
    );
  });

  it('lists the pages of a version with their titles, in the link order of its front page, then by path', async () => {
    assert.equal(
      await sent('/kettle-latest/llms.txt'),
      `# The Kettle 2.0

> Heats \\[water\\] Version 2.0, in Markdown.

## Pages

- [Guide](/kettle-2.0/guide/index.html.md)
- [Start](/kettle-2.0/start.html.md)
- [First by path](/kettle-2.0/a.html.md)
- [Front](/kettle-2.0/index.html.md)
`,
    );
    assert.match(
      await sent('/kettle-1.0/llms.txt'),
      /The latest version is 2\.0: \/kettle-2\.0\/llms\.txt\n/,
    );
  });

  it('is divided by directories, then in parts, when too long, and every link works', async () => {
    const seen = new Set(['/large-1.0/llms.txt']);
    for (const path of seen) {
      const text = await sent(path);
      assert.ok(text.length <= 50_000, path);
      for (const link of links(text)) {
        if (link.includes('/llms.txt')) seen.add(link);
        else if (/9\.html\.md$/.test(link)) assert.equal((await server.get(link)).status, 200, link);
      }
    }
    assert.deepEqual(
      [...seen],
      [
        '/large-1.0/llms.txt',

        '/large-1.0/api/few/llms.txt',
        '/large-1.0/api/many/llms.txt',
        '/large-1.0/api/many/llms.txt?part=2',
      ],
    );
  });

  it('has at most 50,000 characters per list, however long paths and titles are, and lists every page', async () => {
    const deep = Array.from({ length: 4 }, (_, level) => `${level}`.repeat(200)).join('/');
    const paths = [
      'index.html',
      ...Array.from({ length: 300 }, (_, n) => `${deep}/${n} ${'ü'.repeat(60)}.html`),
      ...Array.from({ length: 140 }, (_, n) => `${'d'.repeat(245)}${n}/page.html`),
    ];
    const titled = paths.map((path, n) => [path, page(`${n} ${'['.repeat(100)}`)]);
    assert.equal((await server.upload('deep-1.0-docs.zip', Object.fromEntries(titled))).status, 201);
    const lists = new Set(['/deep-1.0/llms.txt']);
    const pages: string[] = [];
    for (const list of lists) {
      const text = await sent(list);
      assert.ok(text.length <= 50_000, `${list}: ${text.length}`);
      for (const link of links(text)) {
        if (link.includes('/llms.txt')) lists.add(link);
        else pages.push(decodeURIComponent(link));
      }
    }
    assert.deepEqual(pages.sort(), paths.map((path) => `/deep-1.0/${path}.md`).sort());
  });

  it('is its last part beyond the number of parts', async () => {
    assert.equal(
      await sent('/large-1.0/api/many/llms.txt?part=9'),
      await sent('/large-1.0/api/many/llms.txt?part=2'),
    );
    assert.equal(await sent('/llms.txt?part=2'), await sent('/llms.txt'));
  });

  it("is the site's own file if present, and missing for a missing directory", async () => {
    assert.equal(await sent('/own-1.0/llms.txt'), 'By the site');
    for (const path of ['/kettle-2.0/none/llms.txt', '/kettle-2.0/a.html/llms.txt', '/none-1.0/llms.txt']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    assert.match(await sent('/kettle-2.0/guide/llms.txt'), /^# The Kettle 2\.0: guide\/\n/);
  });

  it('truncates a long title before it escapes characters that end a link, and splits no character', async () => {
    const text = await sent('/long-1.0/llms.txt');
    assert.ok(text.includes(`- [${'x'.repeat(99)}\\[](/long-1.0/bracket.html.md)\n`), text);
    assert.ok(text.includes(`- [${'x'.repeat(99)}](/long-1.0/smile.html.md)\n`), text);
  });

  it('names a project by its title set in the settings, as pages do', async () => {
    const headers = { 'X-Token': 'secret-deleter', 'Content-Type': 'application/json' };
    const describe = (body: object) =>
      server.fetch('/api/projects/large', { method: 'PUT', headers, body: JSON.stringify(body) });
    assert.ok((await describe({ title: 'Large Things' })).ok);
    assert.match(await sent('/llms.txt'), /- \[Large Things 1\.0\]\(/);
    assert.match(await sent('/large-1.0/llms.txt'), /^# Large Things 1\.0\n/);
    assert.ok((await describe({})).ok);
    assert.match(await sent('/llms.txt'), /- \[Large 1\.0\]\(/);
  });

  it('lists no hidden version by default, and follows changes', async () => {
    const hide = (method: string) =>
      server.fetch('/api/hidden/own/1.0', { method, headers: { 'X-Token': 'secret-deleter' } });
    assert.ok((await hide('PUT')).ok);
    assert.doesNotMatch(await sent('/llms.txt'), /Own 1\.0/);
    assert.ok((await hide('DELETE')).ok);
    assert.match(await sent('/llms.txt'), /Own 1\.0/);
  });
});

describe('llms.txt on the host of a project', () => {
  it('has the addresses of the host', async (t) => {
    const server = await TestServer.start({
      origin: 'http://docs.example.org',
      hosts: { domain: 'docs.example.org', isRedirecting: true },
    });
    t.after(() => server.close());
    await server.upload('kettle-2.0-docs.zip', { 'guide.html': page('Guide') });
    const { status, body } = await ask(server, 'kettle.docs.example.org', '/llms.txt');
    assert.equal(status, 200);
    assert.match(body, /\(http:\/\/2-0--kettle\.docs\.example\.org\/guide\.html\.md\)/);
  });
});
