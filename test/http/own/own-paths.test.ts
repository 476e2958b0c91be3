import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Json, TestServer } from '../../support/server.js';

const docinfo = 'name: My Project\ndescription: What it is for\n';
let server: TestServer;

before(async () => {
  server = await TestServer.start();
  for (const label of ['1.0.0', '2.0.0', '3.0.0-rc.1', 'main']) {
    const files = { 'index.html': label, 'guide/index.html': label, 'docinfo.yaml': docinfo };
    assert.equal((await server.upload(`my-project-${label}-docs.zip`, files)).status, 201);
  }
  await server.upload('other-1.0-docs.zip');
});
after(() => server.close());

describe('The page of a project', () => {
  it('has a policy and an ETag, and is 304 for an unchanged copy', async () => {
    const page = await server.get('/-/projects/my-project');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const etag = page.headers.get('etag') ?? '';
    const again = await server.get('/-/projects/my-project', { 'If-None-Match': etag });
    assert.equal(again.status, 304);
  });

  it('suggests close names for a missing project', async () => {
    const page = await server.get('/-/projects/my-projetc');
    assert.equal(page.status, 404);
    assert.match(await page.text(), /Did you mean[\s\S]*\/-\/projects\/my-project"/);
    for (const path of ['/-/projects/', '/-/projects/__proto__', '/-/projects/%2e%2e', '/-/projects/%zz']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
  });
});

describe('The index', () => {
  it('is sent compressed, with an ETag that lasts until a change', async () => {
    const page = await server.get('/', { 'Accept-Encoding': 'gzip' });
    assert.equal(page.headers.get('content-encoding'), 'gzip');
    const etag = page.headers.get('etag') ?? '';
    const get = () => server.get('/', { 'Accept-Encoding': 'gzip', 'If-None-Match': etag });
    assert.equal((await get()).status, 304);
    await server.upload('zebra-1.0-docs.zip');
    assert.equal((await get()).status, 200);
    await server.delete('zebra/1.0');
  });

  it('is sorted by name, or by newest', async () => {
    const names = async (path: string) =>
      [...(await (await server.get(path)).text()).matchAll(/project-name" href="\/([^"]+)-latest\//g)].map(
        ([, name]) => name,
      );
    assert.deepEqual(await names('/'), ['my-project', 'other']);
    assert.deepEqual(await names('/?sort=newest'), ['other', 'my-project']);
    assert.deepEqual(await names('/?sort=newest&search=MY'), ['my-project']);
    assert.equal((await server.get('/?sort=size')).status, 400);
  });
});

describe('The badge', () => {
  it('is an inert image of the latest version', async () => {
    const badge = await server.get('/-/badge/my-project.svg');
    assert.equal(badge.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(badge.headers.get('content-security-policy'), "default-src 'none'");
    assert.match(await badge.text(), /aria-label="docs: 2\.0\.0"/);
  });

  it('reports a missing project in words and status', async () => {
    const badge = await server.get('/-/badge/nothing.svg');
    assert.equal(badge.status, 404);
    assert.match(await badge.text(), /docs: not found/);
  });
});

describe('/-/go', () => {
  const locationOf = async (path: string) => {
    const answer = await server.get(path);
    assert.equal(answer.status, 302, path);
    return answer.headers.get('location');
  };

  it('redirects to the same page with its query, else to the nearest page without', async () => {
    assert.equal(await locationOf('/-/go/my-project-1.0.0/guide/?q=1'), '/my-project-1.0.0/guide/?q=1');
    assert.equal(await locationOf('/-/go/my-project-1.0.0/guide/new.html?q=1'), '/my-project-1.0.0/guide/');
    assert.equal(await locationOf('/-/go/my-project-1.0.0'), '/my-project-1.0.0/');
    assert.equal(await locationOf('/-/go/my-project-latest/guide'), '/my-project-latest/guide/');
  });

  it('redirects nowhere else, whatever is requested', async () => {
    for (const page of ['//evil.example', '/evil.example/..', '..%2f..', '%0d%0aX: y', '\\evil.example']) {
      const { status, head } = await server.rawGet(`/-/go/my-project-1.0.0/${page.replace(' ', '%20')}`);
      assert.equal(status, 302, page);
      assert.match(head, /\r\nLocation: \/my-project-1\.0\.0\/\r\n/i, page);
    }
  });

  it('suggests alternatives for a missing version', async () => {
    const answer = await server.get('/-/go/my-project-9.0/guide/');
    assert.equal(answer.status, 404);
    assert.match(await answer.text(), /This page in the latest version/);
    assert.equal((await server.get('/-/go/nothing-1.0/')).status, 404);
  });

  it('is read-only', async () => {
    const headers = { Referer: `${server.url}/my-project-1.0.0/` };
    for (const path of [
      '/-/go/my-project-1.0.0/',
      '/-/switcher.js',
      '/-/assets/lectern.css',
      '/versions.json',
    ]) {
      const answer = await server.fetch(path, { method: 'POST', headers, redirect: 'manual' });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], path);
    }
  });
});

describe('The facts for the switcher', () => {
  it('name the version being read, the latest, and all versions, newest first', async () => {
    const facts: Json = await server.json('/-/switcher/my-project-1.0.0.json');
    assert.equal(facts.current, 'my-project-1.0.0');
    assert.equal(facts.standing, 'older');
    assert.equal(facts.latest.alias, 'my-project-latest');
    assert.deepEqual(
      facts.versions.map((version: Json) => version.version),
      ['3.0.0-rc.1', '2.0.0', '1.0.0', 'main'],
    );
  });

  it('include the alias for its version', async () => {
    const facts: Json = await server.json('/-/switcher/my-project-latest.json');
    assert.deepEqual([facts.current, facts.standing], ['my-project-2.0.0', 'latest']);
    assert.equal((await server.json('/-/switcher/my-project-main.json')).standing, 'unreleased');
    assert.equal((await server.json('/-/switcher/my-project-3.0.0-rc.1.json')).standing, 'pre-release');
  });

  it('exist for versions only', async () => {
    for (const name of ['my-project', 'nothing-1.0', '__proto__', '%2e%2e']) {
      assert.equal((await server.get(`/-/switcher/${name}.json`)).status, 404, name);
    }
  });
});

describe('versions.json', () => {
  const list = (query = '') => server.json(`/-/projects/my-project/versions.json${query}`);

  it("has mike's form, from which Material for MkDocs finds its version and builds its links", async () => {
    const versions: Json = await list();
    assert.deepEqual(versions[1], {
      version: 'my-project-2.0.0',
      title: '2.0.0',
      aliases: ['my-project-latest', 'latest'],
    });
    // The script of the theme does the same: the last directory of the site's address, and a sibling of it.
    for (const base of [`${server.url}/my-project-1.0.0/`, `${server.url}/my-project-latest/`]) {
      const [, current] = /([^/]+)\/?$/.exec(base) ?? [];
      const active = versions.find(
        ({ version, aliases }: Json) => version === current || aliases.includes(current),
      );
      assert.ok(active, base);
      for (const { version } of versions) {
        assert.equal((await server.fetch(new URL(`../${version}/`, base))).status, 200);
      }
    }
  });

  it('is at the path used by Material for MkDocs, for a page of the site, and nowhere else', async () => {
    const referer = `${server.url}/my-project-1.0.0/guide/`;
    const answer = await server.get('/versions.json', { Referer: referer });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get('location'), '/-/projects/my-project/versions.json');
    assert.match(answer.headers.get('vary') ?? '', /Referer/i);
    for (const other of [`${server.url}/`, `${server.url}/nothing-1.0/`, 'garbage', `${server.url}/%zz/`]) {
      assert.equal((await server.get('/versions.json', { Referer: other })).status, 404, other);
    }
    assert.equal((await server.get('/versions.json')).status, 404);
  });

  it("has the form of PyData's switcher.json, with one preferred version", async () => {
    const versions: Json = await list('?format=pydata');
    assert.deepEqual(versions[1], {
      name: '2.0.0 (latest)',
      version: '2.0.0',
      url: '/-/go/my-project-2.0.0/',
      preferred: true,
    });
    assert.equal(versions.filter(({ preferred }: Json) => preferred).length, 1);
    // The script of the theme adds the page's path to `url`, and asks with HEAD whether that is there.
    for (const { url } of versions) {
      for (const page of ['guide/', 'no/such/page.html']) {
        const answer = await server.fetch(url + page, { method: 'HEAD' });
        assert.equal(answer.status, 200);
      }
    }
  });

  it('has the Read the Docs addons data used by themes', async () => {
    const data: Json = await list('?format=readthedocs&version=my-project-1.0.0');
    assert.equal(data.api_version, '1');
    assert.equal(data.versions.current.slug, '1.0.0');
    assert.equal(data.versions.active.length, 4);
    assert.equal(data.projects.current.versioning_scheme, 'multiple_versions_without_translations');
    assert.deepEqual(data.projects.translations, []);
    for (const key of ['home', 'builds', 'downloads']) assert.ok(data.projects.current.urls[key], key);
    for (const version of [data.versions.current, ...data.versions.active]) {
      assert.equal((await server.fetch(version.urls.documentation)).status, 200);
      assert.equal((await server.fetch(version.downloads.htmlzip)).status, 200);
      assert.equal(typeof version.type, 'string');
      assert.ok(Array.isArray(version.aliases));
    }
    assert.equal((await list('?format=readthedocs&version=other-1.0')).versions.current.slug, '2.0.0');
  });

  it('has no other form, and exists for projects only', async () => {
    assert.equal((await server.get('/-/projects/my-project/versions.json?format=xml')).status, 400);
    assert.equal((await server.get('/-/projects/nothing/versions.json')).status, 404);
  });
});

describe('The scripts and style sheets', () => {
  it('are sent compressed on request, and are 304 for an unchanged copy', async () => {
    for (const path of [
      '/-/switcher.js',
      '/-/readthedocs.js',
      '/-/assets/index-search.js',
      '/-/assets/lectern.css',
    ]) {
      const answer = await server.get(path, { 'Accept-Encoding': 'gzip' });
      assert.equal(answer.headers.get('content-encoding'), 'gzip', path);
      assert.match(answer.headers.get('vary') ?? '', /Accept-Encoding/i);
      assert.match(await answer.text(), /^(?:\/\/|\/\*) \w/);
      const since = answer.headers.get('last-modified') ?? '';
      assert.equal((await server.get(path, { 'If-Modified-Since': since })).status, 304, path);
    }
  });

  it('include a switcher whose modules weigh less than 11 KiB, and are cached by the browser', async () => {
    let bytes = 0;
    for (let unread = ['/-/switcher.js'], read = new Set<string>(); unread.length > 0; ) {
      const path = unread.pop() ?? '';
      if (read.has(path)) continue;
      read.add(path);
      const answer = await server.get(path, { 'Accept-Encoding': 'identity' });
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('cache-control'), 'max-age=600', path);
      const text = await answer.text();
      bytes += gzipSync(text).length;
      for (const [, module = ''] of text.matchAll(/^import .* from '(.+)';$/gm)) {
        unread.push(new URL(module, server.url + path).pathname);
      }
    }
    assert.ok(bytes > 3_000 && bytes < 11_264, `${bytes} bytes`);
  });
});
