import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  COUNTED,
  dayAfter,
  dayOf,
  mergedUsage,
  type ProjectUsage,
  UsageTallies,
} from '../../../src/domain/index.js';
import { usageWith } from '../../contracts/usage-store.js';
import { makeVersion } from '../../domain/make-version.js';
import { ask } from '../../support/ask-host.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { type Json, TestServer, type TestServerOptions } from '../../support/server.js';

const ALL = { from: '2000-01-01', to: '2100-01-01' };
const SITE = {
  'index.html': '<h1>front</h1>',
  'guide/index.html': '<h1>guide</h1>',
  'install.html': '<h1>install</h1>',
  'style.css': 'p{}',
};

describe('Counting with --usage', () => {
  let server: TestServer;
  let store: MemoryUsageStore;
  const start = async (options: TestServerOptions = {}) => {
    store = new MemoryUsageStore();
    server = await TestServer.start({ usage: store, ...options });
    await server.upload('tool-1.0-docs.zip', SITE);
    await server.upload('tool-2.0-docs.zip', SITE);
  };
  beforeEach(() => start());
  afterEach(() => server.close());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await server.get(path, headers);
    await response.arrayBuffer();
    return response;
  };
  const counted = async (project = 'tool'): Promise<Record<string, Json>> => {
    await server.saveUsage();
    let usage: ProjectUsage = new Map();
    for await (const { usages } of store.read(project, ALL)) usage = mergedUsage([usage, ...usages]);
    return Object.fromEntries(
      Array.from(usage, ([label, version]) => {
        const some = COUNTED.filter((each) => version[each].total > 0);
        return [
          label,
          Object.fromEntries(
            some.map((each) => [each, [version[each].total, Object.fromEntries(version[each].paths)]]),
          ),
        ];
      }),
    );
  };

  for (const cacheBytes of [undefined, 0]) {
    describe(
      cacheBytes === 0 ? 'Counting without the memory cache' : 'Counting with the memory cache',
      () => {
        beforeEach(async () => {
          if (cacheBytes === undefined) return;
          await server.close();
          await start({ cacheBytes });
        });

        it('counts each read of a page for its version and file, also by an alias, in another spelling, and unchanged', async () => {
          const etag = (await get('/tool-1.0/')).headers.get('etag') ?? '';
          for (let read = 0; read < 3; read++) await get('/tool-1.0/', { 'If-None-Match': etag });
          await get('/tool-latest/install');
          await get('/tool-latest/install.html?from=mail');
          await get('/tool-2.0/guide/');
          assert.deepEqual(await counted(), {
            '1.0': { reads: [4, { 'index.html': 4 }] },
            '2.0': { reads: [3, { 'install.html': 2, 'guide/index.html': 1 }] },
          });
          assert.equal(server.answeredFromMemory > 0, cacheBytes === undefined);
        });

        it('counts a page under its own path at each of its addresses, repeatedly', async () => {
          for (const path of ['install', 'install.html', 'inst%61ll', 'install/']) {
            for (let read = 0; read < 3; read++) await get(`/tool-1.0/${path}`);
          }
          assert.deepEqual(await counted(), { '1.0': { reads: [9, { 'install.html': 9 }] } });
        });

        it('ignores other files, HEAD, prefetches, robots, redirects, parts, own pages and previews', async () => {
          await server.upload('tool~pr-1-docs.zip', SITE);
          for (let round = 0; round < 2; round++) {
            await get('/tool-1.0/style.css');
            await server.fetch('/tool-1.0/', { method: 'HEAD' });
            await get('/tool-1.0/', { 'Sec-Purpose': 'prefetch;prerender' });
            await get('/tool-1.0/', { Purpose: 'prefetch' });
            await get('/tool-1.0/', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
            await get('/tool-1.0/nope', { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' });
            await get('/tool-1.0/guide');
            await get('/tool-1.0/', { Range: 'bytes=0-1' });
            await get('/-/projects/tool');
            await get('/api/projects');
            await get('/tool~pr-1/');
            await get('/tool~pr-1/nope');
            await get('/tool-9.9/');
            await get('/nobody-1.0/');
          }
          assert.deepEqual(await counted(), {});
          assert.deepEqual(await counted('nobody'), {});
        });
      },
    );
  }

  it('counts the Markdown of a page as read by an agent, at each of its addresses', async () => {
    const markdown = { Accept: 'text/markdown' };
    for (let round = 0; round < 2; round++) {
      await get('/tool-1.0/install.md');
      await get('/tool-1.0/install.html.md');
      await get('/tool-latest/install', markdown);
      await get('/tool-2.0/guide/', markdown);
      await get('/tool-2.0/llms.txt');
      await get('/tool-2.0/guide/', { ...markdown, 'User-Agent': 'GPTBot/1.0' });
      await server.fetch('/tool-1.0/install.md', { method: 'HEAD' });
    }
    assert.deepEqual(await counted(), {
      '1.0': { agents: [4, { 'install.html': 4 }] },
      '2.0': { agents: [4, { 'install.html': 2, 'guide/index.html': 2 }] },
    });
    const page = await (await server.get('/-/projects/tool/usage?days=7')).text();
    assert.match(
      page,
      /<strong class="title">0<\/strong> reads.*<strong class="title">8<\/strong> agent reads/,
    );
    assert.match(page, /Most read by agents/);
    const usage = await server.json('/api/projects/tool/usage?days=7');
    assert.equal(usage.agents, 8);
    assert.deepEqual(usage.agent_pages, [
      { path: 'install.html', agents: 6, versions: ['2.0', '1.0'] },
      { path: 'guide/index.html', agents: 2, versions: ['2.0'] },
    ]);
    const csv = await (await server.get('/api/projects/tool/usage?format=csv&days=7')).text();
    assert.match(csv, /,1\.0,\/install\.html,0,0,4\r\n/);
  });

  it('counts a page read by the Model Context Protocol once, even when continued with a cursor', async () => {
    const read = async (given: object) => {
      const params = { name: 'read_page', arguments: { project: 'tool', path: 'install.html', ...given } };
      const response = await server.fetch('/-/mcp', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      assert.match(await response.text(), /title: /);
    };
    await read({ version: '1.0' });
    await read({});
    await read({ cursor: '0' });
    assert.deepEqual(await counted(), {
      '1.0': { agents: [1, { 'install.html': 1 }] },
      '2.0': { agents: [1, { 'install.html': 1 }] },
    });
  });

  it('counts a missing page under its path in normal form, without its query', async () => {
    await get('/tool-1.0/old/page.html?token=secret');
    await get('/tool-latest/old/page.html');
    await get('/tool-2.0/old/page.html');
    await get('/tool-2.0/old/');
    await get('/tool-2.0/%C3%BCber');
    assert.deepEqual(await counted(), {
      '1.0': { misses: [1, { 'old/page.html': 1 }] },
      '2.0': { misses: [4, { 'old/page.html': 2, 'old/': 1, über: 1 }] },
    });
  });

  it('counts an impossible page name without its path', async () => {
    for (const path of ['/tool-1.0/.git/config', '/tool-1.0/%00', '/tool-1.0/a//b', '/tool-1.0/%zz']) {
      await server.rawGet(path);
    }
    await get(`/tool-1.0/${'x'.repeat(300)}`);
    assert.deepEqual(await counted(), { '1.0': { misses: [5, {}] } });
  });

  it('counts a missing page when the site has its own 404.html', async () => {
    await server.upload('own-1.0-docs.zip', { ...SITE, '404.html': 'not here' });
    await get('/own-1.0/nope');
    await get('/own-1.0/nope');
    assert.deepEqual(await counted('own'), { '1.0': { misses: [2, { nope: 2 }] } });
  });

  it('counts a page sent by a web server in front once', async () => {
    await server.close();
    await start({ accelRedirect: '/files/' });
    await server.upload('big-1.0-docs.zip', { 'index.html': 'x'.repeat(1_500_000) });
    const answer = await get('/big-1.0/', { 'Accept-Encoding': 'identity' });
    assert.ok(answer.headers.has('x-accel-redirect'));
    assert.deepEqual(await counted('big'), { '1.0': { reads: [1, { 'index.html': 1 }] } });
  });

  it("counts reads on a project's host for the version that the host shows", async () => {
    await server.close();
    await start({ origin: 'https://docs.example.org', hosts: { domain: 'docs.example.org' } });
    for (let round = 0; round < 3; round++) {
      await ask(server, 'tool.docs.example.org', '/guide/');
      await ask(server, '1-0--tool.docs.example.org', '/install.html');
      await ask(server, 'tool.docs.example.org', '/nope');
    }
    assert.deepEqual(await counted(), {
      '1.0': { reads: [3, { 'install.html': 3 }] },
      '2.0': { reads: [3, { 'guide/index.html': 3 }], misses: [3, { nope: 3 }] },
    });
  });

  it('stores nothing about a reader', async () => {
    await get('/tool-1.0/', {
      'User-Agent': 'my-browser/1',
      Referer: 'https://intranet.example.org/',
      Cookie: 'id=7',
    });
    const text = JSON.stringify(await counted());
    assert.deepEqual(JSON.parse(text), { '1.0': { reads: [1, { 'index.html': 1 }] } });
    const page = await server.get('/-/projects/tool/usage');
    assert.equal(page.headers.get('set-cookie'), null);
  });

  describe('GET /api/projects/{project}/usage', () => {
    const today = dayOf(new Date());
    beforeEach(async () => {
      const key = { project: 'tool', writer: 'other-server' };
      await store.write(
        { ...key, day: today },
        usageWith(['index.html', 'install.html', 'install.html'], ['instal.html']),
      );
      await store.write({ ...key, day: dayAfter(today, -5) }, usageWith(['index.html'], [], '2.0'));
      await store.write(
        { ...key, day: dayAfter(today, -40) },
        usageWith(['index.html'], ['guide/', 'a*'], '0.9'),
      );
    });

    it('sums days, versions, pages and missing pages, with a line for _redirects', async () => {
      const usage = await server.json('/api/projects/tool/usage');
      const { days, ...rest } = usage;
      assert.deepEqual(rest, {
        project: 'tool',
        from: dayAfter(today, -29),
        to: today,
        reads: 4,
        agents: 0,
        not_found: 1,
        versions: [
          { version: '1.0', reads: 3, agents: 0, not_found: 1 },
          { version: '2.0', reads: 1, agents: 0, not_found: 0 },
        ],
        other_versions: { reads: 0, agents: 0, not_found: 0 },
        pages: [
          { path: 'index.html', reads: 2, versions: ['2.0', '1.0'] },
          { path: 'install.html', reads: 2, versions: ['1.0'] },
        ],
        agent_pages: [],
        missing: [
          {
            path: 'instal.html',
            not_found: 1,
            versions: ['1.0'],
            proposed_redirect: '/instal.html /install.html 301',
          },
        ],
        missing_files: [],
      });
      assert.equal(days.length, 30);
      assert.deepEqual(days.at(-1), { date: today, reads: 3, agents: 0, not_found: 1 });
      assert.deepEqual(days.at(-6), { date: dayAfter(today, -5), reads: 1, agents: 0, not_found: 0 });
    });

    it('names no removed version, and none of its paths, but counts its reads', async () => {
      const usage = await server.json('/api/projects/tool/usage?days=90');
      assert.equal(usage.reads, 5);
      assert.deepEqual(usage.other_versions, { reads: 1, agents: 0, not_found: 2 });
      assert.doesNotMatch(JSON.stringify(usage), /0\.9|a\*/);
    });

    it('counts removed versions in the CSV too, in a row without version and path', async () => {
      const rows = (await (await server.get('/api/projects/tool/usage?format=csv&days=90')).text()).split(
        '\r\n',
      );
      assert.deepEqual(
        rows.filter((row) => row.split(',')[1] === ''),
        [`${dayAfter(today, -40)},,,1,2,0`],
      );
      const sum = (column: number) =>
        rows.slice(1, -1).reduce((all, row) => all + Number(row.split(',')[column]), 0);
      const { reads, not_found } = await server.json('/api/projects/tool/usage?days=90');
      assert.deepEqual([sum(3), sum(4)], [reads, not_found]);
    });

    it('names no hidden version, neither on the page nor in the CSV', async () => {
      const headers = { 'X-Token': 'secret-manager' };
      await server.upload('a-1.0-docs.zip', SITE);
      await server.upload('a-1.1secret-docs.zip', { ...SITE, 'plans.html': 'x' });
      await get('/a-1.1secret/plans.html');
      await get('/a-1.1secret/no-plans.html');
      await server.saveUsage();
      await server.fetch('/api/hidden/a/1.1secret', { method: 'PUT', headers });
      const texts = ['/api/projects/a/usage', '/api/projects/a/usage?format=csv', '/-/projects/a/usage'];
      for (const path of texts)
        assert.doesNotMatch(await (await server.get(path)).text(), /1\.1secret|plans/, path);
      assert.deepEqual((await server.json('/api/projects/a/usage')).other_versions, {
        reads: 1,
        agents: 0,
        not_found: 1,
      });
    });

    it("proposes no rule that would catch other pages, and shows a path's current target", async () => {
      const key = { project: 'tool', day: today, writer: 'two' };
      await store.write(key, usageWith([], ['*', 'install*', ':page', 'guide', 'style.cs', 'whatsnew/3.2']));
      const { missing } = await server.json('/api/projects/tool/usage?days=7');
      const remedies = Object.fromEntries(
        missing.map(({ path, leads_to, proposed_redirect }: Json) => [path, leads_to ?? proposed_redirect]),
      );
      assert.deepEqual(remedies, {
        '*': undefined,
        ':page': undefined,
        guide: 'guide/index.html',
        'instal.html': '/instal.html /install.html 301',
        'install*': undefined,
        'whatsnew/3.2': undefined,
      });
    });

    it('distinguishes missing pages and missing files, in the API and on the page', async () => {
      const key = { project: 'tool', day: today, writer: 'two' };
      await store.write(key, usageWith([], ['jquery.js', 'jquery.js', 'gone', 'gone.HTML', 'whatsnew/3.2']));
      const { missing, missing_files, not_found } = await server.json('/api/projects/tool/usage?days=7');
      const paths = missing.map(({ path }: Json) => path);
      assert.deepEqual(paths.sort(), ['gone', 'gone.HTML', 'instal.html', 'whatsnew/3.2']);
      assert.deepEqual(missing_files, [{ path: 'jquery.js', not_found: 2, versions: ['1.0'] }]);
      assert.equal(not_found, 6);
      const page = await (await server.get('/-/projects/tool/usage?days=7')).text();
      assert.match(
        page,
        /<strong class="title">4<\/strong> missing pages.*<strong class="title">2<\/strong> missing files/,
      );
    });

    it('has a CSV with a row for each day, version and path, and one for reads without a path', async () => {
      await store.write(
        { project: 'tool', day: today, writer: 'two' },
        usageWith([], ['x'.repeat(300), '=cmd|x;"\'', '+1,2'], '1.0', ['index.html']),
      );
      const response = await server.get('/api/projects/tool/usage?format=csv&days=7');
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(
        response.headers.get('content-disposition'),
        `attachment; filename="tool-usage-${dayAfter(today, -6)}-${today}.csv"`,
      );
      assert.deepEqual((await response.text()).split('\r\n'), [
        'date,version,path,reads,not_found,agents',
        `${dayAfter(today, -5)},2.0,/index.html,1,0,0`,
        `${today},1.0,/index.html,1,0,1`,
        `${today},1.0,/install.html,2,0,0`,
        `${today},1.0,/instal.html,0,1,0`,
        `${today},1.0,/%3Dcmd%7Cx%3B%22',0,1,0`,
        `${today},1.0,/%2B1%2C2,0,1,0`,
        `${today},1.0,,0,1,0`,
        '',
      ]);
    });

    it('refuses unknown parameters, with the JSON of all refusals', async () => {
      for (const query of ['days=0', 'days=401', 'days=x', 'days=1&days=2', 'format=xml']) {
        const response = await server.get(`/api/projects/tool/usage?${query}`);
        assert.deepEqual(
          [response.status, ((await response.json()) as Json).error],
          [400, 'invalid_request'],
          query,
        );
      }
      for (const format of ['json', 'csv']) {
        const response = await server.get(`/api/projects/nobody/usage?format=${format}`);
        assert.deepEqual(
          [response.status, ((await response.json()) as Json).error],
          [404, 'project_not_found'],
        );
      }
    });

    it('responds 304 without a change, and reads the counts once a minute', async () => {
      const first = await server.get('/api/projects/tool/usage');
      await first.arrayBuffer();
      await get('/tool-1.0/');
      await server.saveUsage();
      const again = await server.get('/api/projects/tool/usage', {
        'If-None-Match': first.headers.get('etag') ?? '',
      });
      assert.equal(again.status, 304);
    });
  });

  it('links from the project page to the usage page, which shows the counts', async () => {
    await get('/tool-1.0/install.html');
    await get('/tool-1.0/instal.html');
    await server.saveUsage();
    assert.match(await (await server.get('/-/projects/tool')).text(), /href="\/-\/projects\/tool\/usage"/);
    const page = await (await server.get('/-/projects/tool/usage?days=7')).text();
    assert.match(
      page,
      /<strong class="title">1<\/strong> read<.*<strong class="title">1<\/strong> missing page</,
    );
    assert.match(page, /\/instal\.html \/install\.html 301/);
    assert.match(page, /href="\/-\/projects\/tool\/usage\?days=7" aria-current="page"/);
    assert.equal((await get('/-/projects/nobody/usage')).status, 404);
    assert.equal((await get('/-/projects/tool/usage?days=0')).status, 400);
  });

  it('shows counts filled by a thousand paths legibly, up to the requested number', async () => {
    const tallies = new UsageTallies(1);
    for (let path = 0; path < 5_000; path++) {
      tallies.count('misses', makeVersion('tool', '1.0'), `/${path}`, new Date());
    }
    const [{ usage } = { usage: new Map() }] = tallies.all();
    await store.write({ project: 'tool', day: dayOf(new Date()), writer: 'one' }, usage);
    const { missing, not_found } = await server.json('/api/projects/tool/usage');
    assert.deepEqual([missing.length, not_found], [50, 5_000]);
  });
});

describe('A server without --usage', () => {
  it('counts and shows nothing', async () => {
    const server = await TestServer.start();
    try {
      await server.upload('tool-1.0-docs.zip', SITE);
      for (const path of ['/-/projects/tool/usage', '/api/projects/tool/usage']) {
        assert.equal((await server.get(path)).status, 404, path);
      }
      assert.doesNotMatch(await (await server.get('/-/projects/tool')).text(), /usage/);
      const { paths } = await server.json('/api/spec');
      assert.equal(Object.keys(paths).includes('/api/projects/{project}/usage'), false);
    } finally {
      await server.close();
    }
  });
});
