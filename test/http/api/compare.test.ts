import assert from 'node:assert/strict';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';

const page = (version: string, text: string) =>
  `<!doctype html><title>Tool ${version}</title><nav>${version}</nav><main><h1>Page</h1><p>${text}</p></main>`;
const OLD = {
  'index.html': page('1.0', 'Welcome.'),
  'guide.html': page('1.0', 'Type the old command, then wait.'),
  'install.html': page('1.0', 'How to install.'),
  'gone.html': page('1.0', 'Nobody needs this.'),
  'renamed.html': page('1.0', 'A page that was renamed.'),
};
const NEW = {
  'index.html': page('2.0', 'Welcome.'),
  'guide/index.html': page('2.0', 'Type the new command, then wait.'),
  'setup/install.html': page('2.0', 'How to install.'),
  'title.html': page('2.0', 'A page that was renamed.'),
  _redirects: '/renamed.html /title.html',
};

for (const basePath of ['', '/docs']) {
  describe(`The comparison of two versions, ${basePath === '' ? 'at the root' : 'below a base path'},`, () => {
    let server: TestServer;
    before(async () => {
      server = await TestServer.start({ basePath });
      await server.upload('tool-1.0-docs.zip', OLD);
      await server.upload('tool-2.0-docs.zip', NEW);
    });
    after(() => server.close());

    const EXPECTED = {
      project: 'tool',
      before: '1.0',
      after: '2.0',
      url: `${basePath}/-/compare/tool/1.0/2.0`,
      added_count: 2,
      removed_count: 3,
      changed_count: 1,
      unchanged_count: 1,
      complete: true,
      added: [
        { path: 'setup/install.html', url: `${basePath}/tool-2.0/setup/install.html` },
        { path: 'title.html', url: `${basePath}/tool-2.0/title.html` },
      ],
      removed: [
        { path: 'gone.html', url: `${basePath}/tool-1.0/gone.html` },
        {
          path: 'install.html',
          url: `${basePath}/tool-1.0/install.html`,
          proposed_redirect: '/install.html /setup/install.html 301',
        },
        {
          path: 'renamed.html',
          url: `${basePath}/tool-1.0/renamed.html`,
          redirected_to: `${basePath}/tool-2.0/title.html`,
        },
      ],
      changed: [
        {
          path: 'guide/index.html',
          before_url: `${basePath}/tool-1.0/guide.html`,
          after_url: `${basePath}/tool-2.0/guide/`,
          url: `${basePath}/-/compare/tool/1.0/2.0/guide/`,
        },
      ],
      more: false,
    };

    it('is returned by the API, each time the same', async () => {
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await server.json(`${basePath}/api/compare/tool/1.0/2.0`), EXPECTED);
      }
      const { before, after } = await server.json(`${basePath}/api/compare/tool/latest/1.0`);
      assert.deepEqual([before, after], ['2.0', '1.0']);
    });

    it('is shown on a page with links to pages', async () => {
      const response = await server.get(`${basePath}/-/compare/tool/1.0/2.0`);
      assert.equal(response.status, 200);
      const html = await response.text();
      assert.match(html, /1 changed · 2 added · 3 removed · 1 unchanged/);
      assert.match(html, /\/install\.html \/setup\/install\.html 301/);
      const links = [...html.matchAll(/<main[\s\S]*<\/main>/g)]
        .flatMap(([main]) => [...main.matchAll(/href="([^"]*)"/g)])
        .map(([, href = '']) => href);
      assert.equal(links.length, 8);
      for (const href of links) assert.equal((await server.get(href)).status, 200, href);
    });

    it('is shown word by word for a page, in one text', async () => {
      const html = await (await server.get(`${basePath}/-/compare/tool/1.0/2.0/guide/`)).text();
      assert.match(html, /<del class="wrong">old<\/del>/);
      assert.match(html, /<ins class="good">new<\/ins>/);
      assert.equal(html.split(' command, then wait.').length, 2);
      const same = await (await server.get(`${basePath}/-/compare/tool/1.0/2.0/index.html`)).text();
      assert.match(same, /is the same in both versions/);
    });

    it('is shown beside the page, in a frame without scripts and with links into it', async () => {
      const address = `${basePath}/-/compare/tool/1.0/2.0/guide/`;
      const response = await server.get(`${address}?view=page`);
      const html = await response.text();
      const [frame = ''] = /<iframe[^>]*>/.exec(html) ?? [];
      assert.match(frame, new RegExp(` src="${basePath}/tool-2.0/guide/" sandbox="allow-same-origin">`));
      const name = / name="([^"]+)"/.exec(frame)?.[1];
      const change = `${basePath}/tool-2.0/guide/#:~:text=Type%20the%20new%20command%2C%20then%20wait.`;
      assert.match(html, new RegExp(`<a class="[^"]*" href="${change}" target="${name}">`));
      assert.match(response.headers.get('content-security-policy') ?? '', /; frame-src 'self'$/);
      const without = await server.get(address);
      assert.doesNotMatch(without.headers.get('content-security-policy') ?? '', /frame-src/);
    });

    it('is chosen in a form, without scripts', async () => {
      const location = async (query: string) =>
        (await server.get(`${basePath}/-/compare/tool${query}`)).headers.get('location');
      assert.equal(await location(''), `${basePath}/-/compare/tool/1.0/2.0`);
      assert.equal(await location('?before=2.0&after=1.0'), `${basePath}/-/compare/tool/2.0/1.0`);
      assert.equal(await location('?after=~pr-7'), `${basePath}/-/compare/tool/2.0/~pr-7`);
      assert.equal(
        await location('?before=//evil.example'),
        `${basePath}/-/compare/tool/%2F%2Fevil.example/2.0`,
      );
    });

    it('is 404 for a missing version, and 400 for an offset that is not a number', async () => {
      for (const path of [
        '/-/compare/tool/1.0/3.0',
        '/-/compare/none/1.0/2.0',
        '/-/compare/none',
        '/-/compare/tool/1.0/2.0/none.html',
        '/-/compare/tool/1.0/2.0/..%2f..%2fversion.json',
        '/api/compare/tool/1.0/3.0',
        '/api/compare/none/1.0/2.0',
      ]) {
        assert.equal((await server.get(basePath + path)).status, 404, path);
      }
      assert.equal((await server.json(`${basePath}/api/compare/tool/9/2.0`)).error, 'version_not_found');
      for (const path of ['/-/compare/tool/1.0/2.0?offset=-1', '/api/compare/tool/1.0/2.0?offset=a']) {
        assert.equal((await server.get(basePath + path)).status, 400, path);
      }
    });
  });
}

describe('A comparison', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  it('accepts previews and aliases as versions', async () => {
    await server.upload('seen-1.0-docs.zip', OLD);
    await server.upload('seen~pr-7-docs.zip', NEW);
    const { before, after, url, changed_count, changed } = await server.json(
      '/api/compare/seen/latest/~pr-7',
    );
    assert.deepEqual([before, after, changed_count], ['1.0', '~pr-7', 1]);
    assert.equal(changed[0].after_url, '/seen~pr-7/guide/');
    const html = await (await server.get(url)).text();
    assert.match(html, /Changes from 1\.0 to ~pr-7/);
    assert.equal((await server.get(changed[0].url)).status, 200);
    for (const [missing, error] of [
      ['~pr-8', 'preview_not_found'],
      ['pr-7', 'version_not_found'],
    ]) {
      const answer = await server.get(`/api/compare/seen/1.0/${missing}`);
      assert.deepEqual([answer.status, ((await answer.json()) as Json).error], [404, error]);
      assert.equal((await server.get(`/-/compare/seen/1.0/${missing}`)).status, 404);
    }
  });

  it('is split into parts when it has many pages', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_100 }, (_, index) => [`p${String(index).padStart(4, '0')}.html`, 'x']),
    );
    await server.upload('many-1.0-docs.zip', { 'index.html': 'x' });
    await server.upload('many-2.0-docs.zip', { 'index.html': 'x', ...many });
    const first = await server.json('/api/compare/many/1.0/2.0');
    assert.deepEqual([first.added_count, first.added.length, first.more], [1_100, 1_000, true]);
    const second = await server.json('/api/compare/many/1.0/2.0?offset=1000');
    assert.deepEqual([second.added[0].path, second.added.length, second.more], ['p1000.html', 100, false]);
    const html = await (await server.get('/-/compare/many/1.0/2.0')).text();
    assert.match(html, /href="\/-\/compare\/many\/1\.0\/2\.0\?offset=200"/);
  });

  it('reads the current files of a copied-in directory', async () => {
    await server.upload('copied-1.0-docs.zip', OLD);
    const staged = join(server.docs, '.staged');
    await mkdir(join(staged, 'guide'), { recursive: true });
    await writeFile(join(staged, 'index.html'), OLD['index.html']);
    await writeFile(join(staged, 'guide', 'index.html'), NEW['guide/index.html']);
    await cp(staged, join(server.docs, 'copied-2.0'), { recursive: true });
    await server.shows('/copied-2.0/guide/');
    const counts = async () => {
      const { changed_count, removed_count, unchanged_count } = await server.json(
        '/api/compare/copied/1.0/2.0',
      );
      return [changed_count, removed_count, unchanged_count];
    };
    assert.deepEqual(await counts(), [1, 3, 1]);
    await writeFile(join(server.docs, 'copied-2.0', 'index.html'), page('2.0', 'Another welcome.'));
    assert.deepEqual(await counts(), [2, 3, 0]);
  });

  it('stores hashes with the publications, and loses them together', async () => {
    await server.upload('kept-1.0-docs.zip', OLD);
    await server.upload('kept-2.0-docs.zip', NEW);
    const derived = async () => {
      const names = await readdir(join(server.docs, '.lectern', 'derived'), { recursive: true });
      return names.filter((name) => name.includes('page-digests')).length;
    };
    const before = await derived();
    await server.json('/api/compare/kept/1.0/2.0');
    assert.equal(await derived(), before + 2);
  });

  it('shows texts of pages as text', async () => {
    const hostile = '&lt;script&gt;alert(1)&lt;/script&gt;';
    await server.upload('bad-1.0-docs.zip', { 'index.html': `<main><p>one ${hostile} two three</p></main>` });
    await server.upload('bad-2.0-docs.zip', { 'index.html': `<main><p>one ${hostile} two four</p></main>` });
    const response = await server.get('/-/compare/bad/1.0/2.0/');
    const html = await response.text();
    assert.match(html, /one &lt;script>alert\(1\)&lt;\/script> two <del class="wrong">three<\/del>/);
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });
});
