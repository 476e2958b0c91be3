import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Json, TestServer } from '../../support/server.js';
import { tree } from '../../support/tree.js';

const JSON_BODY = { 'Content-Type': 'application/json' };

/** Sends a change of a setting. `body` is sent as JSON, text as it is. */
async function manage(
  server: TestServer,
  method: 'PUT' | 'DELETE',
  path: string,
  { token = 'manager', body, headers = {} }: { token?: string; body?: unknown; headers?: object } = {},
) {
  const response = await server.fetch(`/api/${path}`, {
    method,
    headers: { ...(token === '' ? {} : { 'X-Token': `secret-${token}` }), ...JSON_BODY, ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Json };
}

const PAGE = '<title>t</title><h1>Page</h1>';

describe('Changing settings of a project', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const name of ['a-1.0', 'a-2.0', 'b-1.0']) await server.upload(`${name}-docs.zip`);
  });
  after(() => server.close());

  const message = 'Loses data';
  const REFUSALS: readonly [
    what: string,
    method: 'PUT' | 'DELETE',
    path: string,
    request: { token?: string; body?: unknown; headers?: object },
    status: number,
    error: string,
  ][] = [
    ['without a token', 'PUT', 'hidden/a/1.0', { token: '' }, 401, 'authentication_required'],
    ['with an unknown token', 'PUT', 'hidden/a/1.0', { token: 'x' }, 401, 'authentication_required'],
    ['without the right', 'PUT', 'hidden/a/1.0', { token: 'admin' }, 403, 'manage_not_allowed'],
    ['of another project', 'PUT', 'hidden/b/1.0', {}, 403, 'project_not_allowed'],
    ['of another project, with no body', 'PUT', 'deprecated/b/1.0', {}, 403, 'project_not_allowed'],
    [
      'of no project, with no body',
      'PUT',
      'deprecated/a-b/1.0',
      { token: 'deleter' },
      404,
      'project_not_found',
    ],
    ['of a missing version', 'PUT', 'hidden/a/9.0', {}, 404, 'version_not_found'],
    ['of an invalid version', 'PUT', 'hidden/a/%2e%2e%2fx', {}, 404, 'version_not_found'],
    ['of latest', 'PUT', 'hidden/a/latest', {}, 404, 'version_not_found'],
    ['of an alias that is not set', 'DELETE', 'hidden/a/9.0', {}, 404, 'version_not_found'],
    ['without a body', 'PUT', 'deprecated/a/1.0', {}, 400, 'invalid_request'],
    ['with a body that is no JSON', 'PUT', 'deprecated/a/1.0', { body: '{' }, 400, 'invalid_request'],
    ['with an unknown field', 'PUT', 'deprecated/a/1.0', { body: { message, x: 1 } }, 400, 'invalid_request'],
    ['with a number', 'PUT', 'deprecated/a/1.0', { body: { message: 7 } }, 400, 'invalid_request'],
    ['with too long texts', 'PUT', 'deprecated/a/1.0', { body: 'x'.repeat(200_000) }, 400, 'invalid_request'],
    ['with no sentence', 'PUT', 'deprecated/a/1.0', { body: { message: ' ' } }, 400, 'invalid_settings'],
    [
      'with a form',
      'PUT',
      'deprecated/a/1.0',
      { body: 'message=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'that describes it without the right',
      'PUT',
      'projects/a',
      { token: 'admin' },
      403,
      'manage_not_allowed',
    ],
    ['that describes none', 'PUT', 'projects/z', { token: 'deleter' }, 404, 'project_not_found'],
    ['with an unknown field', 'PUT', 'projects/a', { body: { name: 'x' } }, 400, 'invalid_request'],
    ['with an empty title', 'PUT', 'projects/a', { body: { title: '' } }, 400, 'invalid_settings'],
    ['of a removed version', 'PUT', 'deprecated/a/9', { body: { message } }, 404, 'version_not_found'],
  ];
  for (const [what, method, path, request, status, error] of REFUSALS) {
    it(`is refused with ${error}, and changes nothing: ${method} ${path} ${what}`, async () => {
      const before = await tree(server.docs);
      const answer = await manage(server, method, path, request);
      assert.deepEqual([answer.status, answer.body.success, answer.body.error], [status, false, error]);
      assert.deepEqual(await tree(server.docs), before);
      assert.equal((await server.get('/api/version')).status, 200);
    });
  }

  it('names unknown fields of a body cut to 200 characters, with invisible characters escaped', async () => {
    const names = [
      '\u001b[31m',
      '\u202e',
      'x'.repeat(2_000),
      ...Array.from({ length: 500 }, (_, n) => `f${n}`),
    ];
    const body = { message, ...Object.fromEntries(names.map((name) => [name, 1])) };
    const answer = await manage(server, 'PUT', 'deprecated/a/1.0', { body });
    assert.equal(answer.status, 400);
    const said = String(answer.body.message);
    assert.match(said, /unknown field.*\\u001b\[31m, \\u202e, xxx/);
    assert.ok(said.length < 400, said);
    assert.doesNotMatch(said, /\p{Cc}|\p{Cf}/u);
  });

  it('returns all settings, is logged with the token, and is idempotent', async () => {
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await manage(server, 'PUT', 'hidden/a/1.0'), {
        status: 200,
        body: { success: true, message: 'a 1.0 is hidden', project: 'a', settings: { hidden: ['1.0'] } },
      });
      assert.equal((server.log.at(-1) as Json).token, 'manager');
    }
    const { body } = await manage(server, 'PUT', 'deprecated/a/2.0', { body: { message } });
    assert.deepEqual(body.settings, { hidden: ['1.0'], deprecated: { '2.0': message } });
    for (let round = 0; round < 2; round++) {
      assert.equal((await manage(server, 'DELETE', 'hidden/a/1.0')).body.message, 'a 1.0 is not hidden');
    }
    const last = await manage(server, 'DELETE', 'deprecated/a/2.0');
    assert.deepEqual([last.body.message, last.body.settings], ['a 2.0 is not deprecated', {}]);
  });

  it('clears the settings of a removed version', async () => {
    await server.upload('a-3.0-docs.zip');
    await manage(server, 'PUT', 'hidden/a/3.0');
    await server.delete('a/3.0');
    assert.deepEqual((await server.json('/api/projects/a')).settings, { hidden: ['3.0'] });
    assert.deepEqual((await manage(server, 'DELETE', 'hidden/a/3.0')).body.settings, {});
  });
});

describe('Describing a project', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const docinfo = JSON.stringify({
      name: 'Widgets',
      description: 'Old.',
      group: 'Old',
      owner: 'Ann',
      logo: 'a.png',
    });
    await server.upload('a-1.0-docs.zip', { 'index.html': PAGE, 'a.png': 'x', 'docinfo.json': docinfo });
    await server.upload('b-1.0-docs.zip', { 'index.html': PAGE });
  });
  after(() => server.close());
  const inList = async () => (await server.json('/api/projects?search=a')).projects[0];

  it('overrides its docinfo field by field, on pages and in lists, and keeps its name', async () => {
    const about = { title: 'Größe <b>', group: 'Payments', tags: ['sdk'] };
    const { body } = await manage(server, 'PUT', 'projects/a', { body: about });
    assert.deepEqual([body.message, body.settings], ['Updated a: group, tags, title', { about }]);
    const { name, title, description, group, tags, owner } = await server.json('/api/projects/a');
    assert.deepEqual([name, title, description], ['Widgets', 'Größe <b>', 'Old.']);
    assert.deepEqual([group, tags, owner], ['Payments', ['sdk'], 'Ann']);
    for (const path of ['/', '/?group=payments', '/-/projects/a', '/?search=gr%C3%B6%C3%9Fe']) {
      const page = await (await server.get(path)).text();
      assert.match(page, /Größe &lt;b>/, path);
      assert.doesNotMatch(page, /Widgets/, path);
    }
    // A logo is a file of the site, which no description can name.
    assert.match(await (await server.get('/-/projects/a')).text(), /a-1\.0\/a\.png/);
  });

  it('replaces the whole description, resets it when empty, and is idempotent', async () => {
    await manage(server, 'PUT', 'projects/a', { body: { owner: 'Team Blue' } });
    const described = await inList();
    assert.deepEqual([described.title, described.group, described.owner], ['Widgets', 'Old', 'Team Blue']);
    for (let round = 0; round < 2; round++) {
      const { body } = await manage(server, 'PUT', 'projects/a', { body: {} });
      assert.deepEqual([body.message, body.settings], ['a has no overrides; its docinfo applies', {}]);
    }
    assert.equal((await inList()).owner, 'Ann');
  });

  it('persists when the project is deleted and returns', async () => {
    await manage(server, 'PUT', 'projects/a', { body: { title: 'Ledger' } });
    await server.delete('a/1.0');
    await server.upload('a-2.0-docs.zip', { 'index.html': PAGE });
    const { name, title } = await inList();
    assert.deepEqual([name, title], ['a', 'Ledger']);
  });
});

for (const cacheBytes of [0, 10_000_000]) {
  describe(`A hidden version, ${cacheBytes === 0 ? 'without' : 'with'} the memory cache,`, () => {
    let server: TestServer;
    const files = { 'index.html': PAGE, 'page.html': PAGE };
    before(async () => {
      server = await TestServer.start({ cacheBytes, accelRedirect: '/files/' });
      for (const name of ['a-1.0', 'a-2.0', 'other-1.0']) await server.upload(`${name}-docs.zip`, files);
      await server.upload('a-3.0-docs.zip', { 'big.png': 'x'.repeat(1_500_000), 'page.html': PAGE });
      // So that what is cached is right only for a version that is not hidden.
      for (let round = 0; round < 2; round++) await server.get('/a-3.0/page.html');
      await manage(server, 'PUT', 'hidden/a/3.0');
    });
    after(() => server.close());

    it('is readable and downloadable, with noindex', async () => {
      const paths = [
        '/a-3.0/page.html',
        '/a-3.0/',
        '/a-3.0/big.png',
        '/a-3.0-docs.zip',
        '/api/download/a/3.0',
      ];
      for (const path of [...paths, ...paths]) {
        const answer = await server.get(path);
        assert.deepEqual([answer.status, answer.headers.get('x-robots-tag')], [200, 'noindex'], path);
        const isSent = (await answer.arrayBuffer()).byteLength > 0 || answer.headers.has('x-accel-redirect');
        assert.ok(isSent, path);
      }
      for (const path of ['/a-2.0/page.html', '/a-latest/page.html', '/']) {
        assert.equal((await server.get(path)).headers.get('x-robots-tag'), null, path);
      }
    });

    it('is not the latest, and is listed with the hidden parameter', async () => {
      const { latest_version_dir, versions } = await server.json('/api/projects/a');
      assert.equal(latest_version_dir, 'a-2.0');
      assert.equal(versions.at(-1).hidden, true);
      assert.deepEqual((await server.json('/api/projects')).projects[0].versions, versions);
    });

    it('is on no page, and in no list of versions', async () => {
      const paths = [
        '/',
        '/?search=a',
        '/-/projects/a',
        '/-/projects/a/versions.json',
        '/-/projects/a/versions.json?format=pydata',
        '/-/projects/a/versions.json?format=readthedocs',
        '/-/switcher/a-1.0.json',
        '/a-9.0/',
        '/a-1.0/nothing',
        '/-/badge/a.svg',
      ];
      for (const path of paths) {
        const text = await (await server.get(path)).text();
        assert.match(text, /2\.0/, path);
        // The font of own pages has a version, too.
        assert.doesNotMatch(text, /(?<![\d.])3\.0\b/, path);
      }
    });

    it('is not counted among the versions on the index', async () => {
      assert.match(await (await server.get('/')).text(), /title="2 versions of /);
    });

    it("is in the switcher's data of its own pages only", async () => {
      const { current, versions, latest } = await server.json('/-/switcher/a-3.0.json');
      assert.deepEqual([current, latest.version], ['a-3.0', '2.0']);
      assert.deepEqual(
        versions.map(({ version }: { version: string }) => version),
        ['3.0', '2.0', '1.0'],
      );
    });

    it('hides its project when all versions are hidden, and keeps both readable', async () => {
      for (const label of ['1.0', '2.0']) await manage(server, 'PUT', `hidden/a/${label}`);
      assert.equal((await server.get('/-/projects/a')).status, 404);
      assert.equal((await server.get('/-/badge/a.svg')).status, 404);
      assert.equal((await server.get('/-/projects/a/versions.json')).status, 404);
      for (const path of ['/', '/?search=a', '/a-9.0/', '/-/projects/aa']) {
        assert.doesNotMatch(await (await server.get(path)).text(), /\/-\/projects\/a"/, path);
      }
      assert.equal((await server.get('/a-latest/page.html')).headers.get('x-robots-tag'), 'noindex');
      assert.equal((await server.json('/api/projects/a')).latest_version_dir, 'a-3.0');
      assert.equal((await server.json('/api/projects')).count, 2);
      for (const label of ['1.0', '2.0', '3.0']) await manage(server, 'DELETE', `hidden/a/${label}`);
      assert.equal((await server.get('/-/projects/a')).status, 200);
      assert.equal((await server.get('/a-3.0/page.html')).headers.get('x-robots-tag'), null);
    });
  });
}

describe('An alias', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    const site = (label: string) => ({ 'index.html': label, 'guide/deep.html': `guide ${label}` });
    for (const label of ['1.0', '1.1', '2.0', '2.1-rc1', 'main']) {
      await server.upload(`a-${label}-docs.zip`, site(label));
    }
    await server.upload('a-old-1.0-docs.zip', site('other'));
  });
  after(() => server.close());

  const textOf = async (path: string) => (await server.get(path)).text();

  it('serves its target: pages, redirects, downloads, a badge, and paths of other versions', async () => {
    const { body } = await manage(server, 'PUT', 'aliases/a/lts', { body: { target: '1.x' } });
    assert.deepEqual([body.message, body.settings], ['a: lts -> 1.x', { aliases: { lts: '1.x' } }]);
    assert.equal(await textOf('/a-lts/guide/deep.html'), 'guide 1.1');
    assert.equal(await textOf('/a-lts/'), '1.1');
    const slash = await server.fetch('/a-lts/guide', { redirect: 'manual' });
    assert.equal(slash.headers.get('location'), '/a-lts/guide/');
    for (const path of ['/a-lts-docs.zip', '/api/download/a/lts']) {
      const answer = await server.get(path);
      assert.match(answer.headers.get('content-disposition') ?? '', /a-1\.1-docs\.zip/, path);
    }
    assert.match(await textOf('/-/badge/a-lts.svg'), /docs: 1\.1/);
    const go = await server.fetch('/-/go/a-lts/guide/deep.html', { redirect: 'manual' });
    assert.equal(go.headers.get('location'), '/a-lts/guide/deep.html');
    const [entry] = (await server.json('/-/projects/a/versions.json')).filter(
      ({ title }: { title: string }) => title === '1.1',
    );
    assert.deepEqual(entry.aliases, ['a-lts', 'lts']);
    assert.match(await textOf('/-/projects/a'), /class="mark">lts</);
  });

  it('follows a series at each upload, and at a deletion', async () => {
    await server.upload('a-1.2-docs.zip', { 'index.html': '1.2' });
    assert.equal(await textOf('/a-lts/'), '1.2');
    await server.delete('a/1.2');
    assert.equal(await textOf('/a-lts/'), '1.1');
  });

  it('pins the latest version when named latest, until removed', async () => {
    await manage(server, 'PUT', 'aliases/a/latest', { body: { target: '1.0' } });
    const { aliases } = await server.json('/-/switcher/a-1.0.json');
    assert.equal(new Set(aliases).size, aliases.length);
    assert.equal(await textOf('/a-latest/'), '1.0');
    assert.equal((await server.json('/api/projects/a')).latest_version_dir, 'a-1.0');
    const { body } = await manage(server, 'DELETE', 'aliases/a/latest');
    assert.equal(body.message, 'a: latest is not pinned');
    assert.equal(await textOf('/a-latest/'), '2.0');
  });

  it('disappears everywhere once removed, idempotently', async () => {
    await manage(server, 'PUT', 'aliases/a/next', { body: { target: '2.1-rc1' } });
    assert.equal(await textOf('/a-next/'), '2.1-rc1');
    for (let round = 0; round < 2; round++) {
      assert.equal(
        (await manage(server, 'DELETE', 'aliases/a/next')).body.message,
        'a: next is not an alias',
      );
    }
    assert.equal((await server.get('/a-next/')).status, 404);
  });

  it('is 404 while its target is deleted, and works again with the target', async () => {
    await server.upload('a-3.0-docs.zip', { 'index.html': '3.0' });
    await manage(server, 'PUT', 'aliases/a/three', { body: { target: '3.0' } });
    await server.delete('a/3.0');
    assert.equal((await server.get('/a-three/')).status, 404);
    assert.equal((await server.get('/api/download/a/three')).status, 404);
    await server.upload('a-3.0-docs.zip', { 'index.html': 'back' });
    assert.equal(await textOf('/a-three/'), 'back');
    await manage(server, 'DELETE', 'aliases/a/three');
    await server.delete('a/3.0');
  });

  const REFUSED: readonly [path: string, target: string, status: number, error: string][] = [
    ['aliases/a/main', '1.0', 409, 'name_taken'],
    ['aliases/a/old', '1.0', 409, 'name_taken'],
    ['aliases/a/new', '9.0', 404, 'version_not_found'],
    ['aliases/a/new', '3.x', 404, 'version_not_found'],
    ['aliases/a/new', 'lts', 404, 'version_not_found'],
    ['aliases/a/new', 'latest', 404, 'version_not_found'],
    ['aliases/a/Latest', '1.0', 400, 'invalid_settings'],
    ['aliases/a/b-1.0', '1.0', 400, 'invalid_settings'],
    ['aliases/a/x%20y', '1.0', 400, 'invalid_settings'],
    ['aliases/b/new', '1.0', 403, 'project_not_allowed'],
  ];
  for (const [path, target, status, error] of REFUSED) {
    it(`is refused with ${error}, and changes nothing: ${path} for ${target}`, async () => {
      const before = await tree(server.docs);
      const answer = await manage(server, 'PUT', path, { body: { target } });
      assert.deepEqual([answer.status, answer.body.error], [status, error]);
      assert.deepEqual(await tree(server.docs), before);
    });
  }

  it('reserves its name against uploads of a version', async () => {
    const before = await tree(server.docs);
    const answer = await server.upload('a-lts-docs.zip');
    assert.deepEqual([answer.status, ((await answer.json()) as Json).error], [409, 'name_taken']);
    assert.deepEqual(await tree(server.docs), before);
  });

  it('gives way to a new project at its address, reports it to its owner, and returns once the project is gone', async () => {
    const shadowed = async () => [
      (await server.json('/api/projects/a')).shadowed_aliases,
      (await server.json('/api/projects?search=a')).projects[0].shadowed_aliases,
      /The alias 'lts' is shadowed[^.]*'a-lts'/.test(await textOf('/-/projects/a')),
    ];
    const own = await textOf('/a-lts/');
    assert.deepEqual(await shadowed(), [undefined, undefined, false]);
    assert.equal((await server.upload('a-lts-7.0-docs.zip', { 'index.html': 'seven' })).status, 201);
    assert.equal((await server.get('/a-lts/')).headers.get('location'), '/a-lts-latest/');
    for (const path of ['/a-lts-docs.zip', '/api/download/a/lts', '/-/go/a-lts/']) {
      assert.equal((await server.get(path)).status, 404, path);
    }
    assert.match(await textOf('/-/badge/a-lts.svg'), /docs: 7\.0/);
    assert.doesNotMatch(JSON.stringify(await server.json('/-/switcher/a-1.1.json')), /"a-lts"/);
    assert.doesNotMatch(JSON.stringify(await server.json('/-/projects/a/versions.json')), /lts/);
    assert.deepEqual(await shadowed(), [['lts'], ['lts'], true]);
    const { body } = await manage(server, 'PUT', 'aliases/a/lts', { body: { target: '1.x' } });
    assert.match(body.message, /^a: lts -> 1\.x\. The alias 'lts' is shadowed/);
    await server.delete('a-lts/7.0');
    assert.equal(await textOf('/a-lts/'), own);
    assert.deepEqual(await shadowed(), [undefined, undefined, false]);
  });
});

describe('A deprecated version', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    for (const label of ['1.0', '2.0']) await server.upload(`a-${label}-docs.zip`);
    await manage(server, 'PUT', 'deprecated/a/1.0', { body: { message: 'Loses <b>data</b>' } });
  });
  after(() => server.close());

  it("is marked on its project's page, as plain text, and in the list", async () => {
    const page = await (await server.get('/-/projects/a')).text();
    assert.match(page, /Loses &lt;b>data&lt;\/b>/);
    assert.match(page, /mark caution">deprecated</);
    const [project] = (await server.json('/api/projects')).projects;
    assert.deepEqual(
      project.versions.map(({ deprecated }: { deprecated?: string }) => deprecated),
      ['Loses <b>data</b>', undefined],
    );
  });

  it("is marked in the switcher's data, of its own pages and of others", async () => {
    const own = await server.json('/-/switcher/a-1.0.json');
    assert.equal(own.deprecated, 'Loses <b>data</b>');
    const other = await server.json('/-/switcher/a-2.0.json');
    assert.equal(other.deprecated, undefined);
    const marks = other.versions.map(({ deprecated }: { deprecated: boolean }) => deprecated);
    assert.deepEqual(marks, [false, true]);
  });
});
