import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Waiter } from '../../../src/application/index.js';
import { Refusal } from '../../../src/domain/index.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { type Json, TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`;

const CONFIGURATION = page(
  'Configuration',
  `<p>A kettle reads its settings when it starts.</p>
  <h2 id="lärm">The whistle</h2><p>Set <code>WHISTLE_VOLUME</code> to choose how loud the whistle is.</p>`,
);

const urls = ({ results }: Json): string[] => (results as Json[]).map(({ url }) => url);

describe('GET /api/search', () => {
  let server: TestServer;
  const search = (query: string) => server.json(`/api/search?${query}`);

  before(async () => {
    server = await TestServer.start({ search: new MemorySearchIndex() });
    await server.upload('kettle-1.0-docs.zip', {
      'index.html': page('Kettle', '<p>An old kettle boils water slowly.</p>'),
    });
    await server.upload('kettle-2.0-docs.zip', {
      'index.html': page('Kettle', '<p>A kettle boils water.</p>'),
      'guide/index.html': page('Guide', '<p>Where the kettle stands.</p>'),
      'guide/set up.html': CONFIGURATION,
      'docinfo.json': '{"name":"The Kettle"}',
    });
    await server.upload('toaster-1.0-docs.zip', {
      'index.html': page('Toaster', '<p>Slow water is bad for a toaster; a kettle is not.</p>'),
    });
    await server.isIndexed();
  });
  after(() => server.close());

  it('finds a section by its words, and leads to it by the alias of the latest version', async () => {
    const { results, total, indexing } = await search('q=whistle_volume');
    assert.equal(total, 1);
    assert.equal(indexing, 0);
    const [{ snippet, ...result }] = results as [Json];
    assert.deepEqual(result, {
      project: 'kettle',
      project_name: 'The Kettle',
      version: '2.0',
      url: '/kettle-latest/guide/set%20up.html#l%C3%A4rm',
      path: 'guide/set up.html',
      title: 'Configuration',
      heading: 'The whistle',
      anchor: 'lärm',
      way: ['Guide'],
    });
    const marked = (snippet as Json[]).filter(({ marked }) => marked).map(({ text }) => text);
    assert.deepEqual(marked, ['WHISTLE_VOLUME']);
    assert.match((snippet as Json[]).map(({ text }) => text).join(''), /^Set WHISTLE_VOLUME to choose/);
  });

  it('addresses an index.html by its directory', async () => {
    assert.deepEqual(urls(await search('q=where+stands')), ['/kettle-latest/guide/']);
  });

  it('searches the latest version of each project, unless one is named', async () => {
    assert.deepEqual(urls(await search('q=slowly')), []);
    // It may have been replaced as the latest before it was indexed. Then it is indexed because it is asked for.
    const inOldOne = 'q=slowly&project=kettle&version=1.0';
    await until(async () => (await search(inOldOne)).indexing === 0);
    assert.deepEqual(urls(await search(inOldOne)), ['/kettle-1.0/']);
    assert.deepEqual(urls(await search('q=boils&project=kettle&version=latest')), ['/kettle-latest/']);
    assert.deepEqual(urls(await search('q=water&project=toaster')), ['/toaster-latest/']);
    assert.deepEqual(urls(await search('q=water+project:toaster')), ['/toaster-latest/']);
  });

  it('searches the project named by the words, reports it, and offers to undo it', async () => {
    const named = await search('q=the+kettle:+water');
    assert.deepEqual(urls(named), ['/kettle-latest/']);
    assert.deepEqual(named.in_project, { project: 'kettle', project_name: 'The Kettle', version: '2.0' });
    const { in_project, results } = await search('q=the+kettle:+water&all_projects=true');
    const projects = new Set((results as Json[]).map(({ project }) => project));
    assert.deepEqual([in_project, projects.has('toaster')], [undefined, true]);
    assert.equal((await server.get('/api/search?q=water&all_projects=1')).status, 400);
  });

  it('finds a phrase only where its words follow one another', async () => {
    assert.deepEqual(urls(await search('q=%22boils+water%22')), ['/kettle-latest/']);
    assert.deepEqual(urls(await search('q=%22water+boils%22')), []);
  });

  it('reports the corrected word of a typo', async () => {
    const { corrected_to, corrections, omitted_terms, results } = await search('q=toastr+slow');
    assert.deepEqual([corrections.length, omitted_terms], [1, []]);
    assert.equal(corrected_to, 'toaster slow');
    assert.equal(results.length, 1);
  });

  it('finds a page of all versions of a project once', async () => {
    await until(async () => (await search('q=kettle&project=kettle&version=1.0')).indexing === 0);
    const { results } = await search('q=water&project=kettle&version=all');
    assert.deepEqual(
      (results as Json[]).map(({ path, version, also_in }) => [path, version, also_in]),
      [['index.html', '2.0', ['1.0']]],
    );
    const page = await (await server.get('/-/search?q=water&project=kettle&version=all')).text();
    assert.match(page, /, all versions/);
    assert.match(page, /href="\/kettle-1.0\/">/);
  });

  it('names the projects that have an equal page, each with its address', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    for (const name of ['a', 'b', 'c']) {
      const site = join(docs, `${name}-1.0`);
      await mkdir(site);
      await writeFile(join(site, 'set.html'), CONFIGURATION);
    }
    const alike = await TestServer.start({ docs, search: new MemorySearchIndex() });
    await alike.isIndexed();
    const { results, total } = await alike.json('/api/search?q=whistle_volume');
    const placeOf = (project: string) => ({
      ...{ project, project_name: project, version: '1.0' },
      url: `/${project}-latest/set.html#l%C3%A4rm`,
    });
    const [{ project, same_in }] = results as [Json];
    assert.deepEqual([results.length, total], [1, 1]);
    const others = ['a', 'b', 'c'].filter((each) => each !== project);
    assert.deepEqual(
      (same_in as Json[]).sort((a, b) => (a.project < b.project ? -1 : 1)),
      others.map(placeOf),
    );
    // Scripts of pages name the favourites of the reader.
    const part = await (await alike.get('/-/search?q=whistle_volume&part=true&favourites=none,c')).text();
    assert.match(part, /aria-label="C 1\.0"/);
    assert.equal(part.match(/data-project/g)?.length, 2);
    await alike.close();
    await rm(docs, { recursive: true });
  });

  it('sends the changed parts of its page while typing, compressed, and no more than requested', async () => {
    const { headers, status } = await server.get('/-/search?q=water&part=true', {
      'Accept-Encoding': 'gzip',
    });
    assert.deepEqual([status, headers.get('vary')?.includes('Accept-Encoding')], [200, true]);
    const part = await (await server.get('/-/search?q=water&part=true')).text();
    assert.match(part, /^<p id="found-sentence">2 pages/);
    assert.doesNotMatch(part, /<html|<form/);
  });

  it('responds to a letter typed on the index of 200 projects with less than 15 KB, five projects and a link to all', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    // Copied in: uploads would take most of the time.
    for (let index = 0; index < 200; index++) {
      const site = join(docs, `many${index}-1.0`);
      await mkdir(site);
      await writeFile(join(site, 'index.html'), page(`many${index}`, '<p>Text.</p>'));
    }
    const many = await TestServer.start({ docs, search: new MemorySearchIndex() });
    await many.isIndexed();
    const sizes = { plain: 0, compressed: 0 };
    // Requests while somebody types: for projects, and for pages.
    for (const path of ['/?search=m&part=true', '/-/search?q=m&part=true&facets=true']) {
      sizes.plain += Buffer.byteLength(await (await many.get(path)).text());
      const { headers } = await many.get(path, { 'Accept-Encoding': 'gzip' });
      assert.equal(headers.get('content-encoding'), 'gzip', path);
      sizes.compressed += Number(headers.get('content-length'));
    }
    assert.ok(
      sizes.plain <= 15_000 && sizes.compressed > 0 && sizes.compressed <= 4_000,
      JSON.stringify(sizes),
    );
    const part = await (await many.get('/?search=m&part=true')).text();
    assert.equal(part.match(/\bproject-name\b/g)?.length, 5);
    assert.match(part, /<a href="\/\?search=m&amp;all=true">Show all 200 projects/);
    const all = await (await many.get('/?search=m&all=true')).text();
    assert.equal(all.match(/\bproject-name\b/g)?.length, 200);
    await many.close();
    await rm(docs, { recursive: true });
  });

  it('is in the header of every page without a field for all, as a link without scripts', async () => {
    for (const path of ['/help', '/-/upload', '/-/api', '/-/projects/kettle', '/nothing-1.0/']) {
      assert.match(
        await (await server.get(path)).text(),
        /<a class="quiet search-link" href="\/-\/search(?:\?project=kettle)?"/,
        path,
      );
    }
  });

  it('shows every result once, however results are paged', async () => {
    const whole = urls(await search('q=kettle&limit=50'));
    assert.equal(whole.length, 4);
    const parts = await Promise.all(
      whole.map(async (_, offset) => urls(await search(`q=kettle&limit=1&offset=${offset}`))),
    );
    assert.deepEqual(parts.flat(), whole);
    assert.deepEqual(urls(await search('q=kettle&offset=199')), []);
  });

  for (const [query, message] of [
    ['', /words to search for/],
    ['q=', /words to search for/],
    ['q=+%09', /words to search for/],
    ['q=a&q=b', /'q' once/],
    ['q=%ff', /'q' is not percent-encoded/],
    [`q=${'ä'.repeat(201)}`, /longer than 200 characters/],
    ['q=a&version=1.0', /'version' needs a 'project'/],
    ['q=a&group=b&group=c', /'group' once/],
    ['q=a&ungrouped=yes', /'ungrouped' once, as 'true' or 'false'/],
    ['q=a&facets=yes', /'facets' once, as 'true' or 'false'/],
    ['q=a&limit=0', /'limit' must be a whole number from 1 to 50/],
    ['q=a&limit=51', /from 1 to 50/],
    ['q=a&limit=1e1', /from 1 to 50/],
    ['q=a&offset=-1', /'offset' must be a whole number from 0 to 199/],
    ['q=a&offset=200', /from 0 to 199/],
  ] as const) {
    it(`refuses '${query.slice(0, 30)}' with a sentence`, async () => {
      const response = await server.get(`/api/search?${query}`);
      const body = (await response.json()) as Json;
      assert.deepEqual([response.status, body.error], [400, 'invalid_request']);
      assert.match(body.message, message);
    });
  }

  it('accepts 200 characters of any length in bytes', async () => {
    assert.equal((await server.get(`/api/search?q=${encodeURIComponent('😀'.repeat(200))}`)).status, 200);
  });

  it('responds 404 for a missing project or version', async () => {
    for (const [query, error] of [
      ['project=nothing', 'project_not_found'],
      ['project=kettle&version=9.9', 'version_not_found'],
    ] as const) {
      const response = await server.get(`/api/search?q=a&${query}`);
      assert.deepEqual([response.status, ((await response.json()) as Json).error], [404, error]);
    }
  });

  it('responds 304 until its results change', async () => {
    const ask = (etag = '') => server.get('/api/search?q=teapot', { 'If-None-Match': etag });
    const etag = (await ask()).headers.get('etag') ?? '';
    assert.equal((await ask(etag)).status, 304);
    await server.upload('teapot-1.0-docs.zip', { 'index.html': page('Teapot', 'Tea.') });
    await server.isIndexed();
    const changed = await ask(etag);
    assert.equal(changed.status, 200);
    assert.deepEqual(urls((await changed.json()) as Json), ['/teapot-latest/']);
    await server.delete('teapot/1.0');
    assert.equal((await ask(etag)).status, 304);
  });

  it('never finds replaced or deleted pages', async () => {
    const upload = (text: string) => server.upload('jug-1.0-docs.zip', { 'index.html': page('Jug', text) });
    await upload('earthenware');
    await server.isIndexed();
    assert.equal(urls(await search('q=earthenware')).length, 1);
    await upload('porcelain');
    assert.deepEqual(urls(await search('q=earthenware')), []);
    await server.isIndexed();
    assert.equal(urls(await search('q=porcelain')).length, 1);
    await server.delete('jug/1.0');
    assert.deepEqual(urls(await search('q=porcelain')), []);
  });

  it('prefers the languages of the reader', async () => {
    const body = '<p>Der Samowar. The samovar.</p>';
    for (const language of ['de', 'en']) {
      const html = page('Samovar', body).replace('lang="en"', `lang="${language}"`);
      await server.upload(`samovar-${language}-1.0-docs.zip`, { 'index.html': html });
    }
    await server.isIndexed();
    const first = async (languages: string) => {
      const response = await server.get('/api/search?q=samovar', { 'Accept-Language': languages });
      assert.match(response.headers.get('vary') ?? '', /Accept-Language/);
      return urls((await response.json()) as Json)[0];
    };
    assert.equal(await first('en'), '/samovar-en-latest/');
    assert.equal(await first('de-AT, ja;q=0.5'), '/samovar-de-latest/');
    assert.equal(await first('*'), '/samovar-en-latest/');
    const long = `de${',ja'.repeat(400)}`;
    assert.equal(await first(long.slice(0, 1_000)), '/samovar-de-latest/');
    assert.equal(await first(long.slice(0, 1_001)), '/samovar-en-latest/', 'as if it named none');
    await server.delete('samovar-de/1.0');
    await server.delete('samovar-en/1.0');
  });

  it('leaves out a project that turns search off, and offers no field on its page', async () => {
    await server.upload('quiet-1.0-docs.zip', {
      'index.html': page('Quiet', 'A samovar.'),
      'docinfo.json': '{"search":false}',
    });
    await server.isIndexed();
    for (const query of ['q=samovar', 'q=samovar&project=quiet', 'q=samovar&project=quiet&version=1.0']) {
      const { results, indexing } = await search(query);
      assert.deepEqual([results, indexing], [[], 0], query);
    }
    assert.doesNotMatch(await (await server.get('/-/projects/quiet')).text(), /-\/search\?project/);
    assert.doesNotMatch(await (await server.get('/quiet-1.0/missing.html')).text(), /-\/search\?project/);
    await server.delete('quiet/1.0');
  });

  it('is offered for the words of a missing page, inside its version', async () => {
    const { search: offered } = await server.json('/-/suggest/kettle-1.0/guide/set-up.html');
    assert.deepEqual(offered, {
      words: 'guide set up',
      url: '/-/search?project=kettle&version=1.0&q=guide+set+up',
    });
    assert.equal((await server.json('/-/suggest/kettle-1.0/')).search, undefined);
  });

  it('puts the base path in front of every address', async () => {
    const below = await TestServer.start({ search: new MemorySearchIndex(), basePath: '/docs' });
    await below.upload('a-1.0-docs.zip', { 'index.html': page('Anvil', 'Iron.') });
    await below.isIndexed();
    assert.deepEqual(urls(await below.json('/docs/api/search?q=anvil')), ['/docs/a-latest/']);
    const html = await (await below.get('/docs/-/search?q=anvil')).text();
    assert.match(html, /href="\/docs\/a-latest\/"/);
    assert.match(html, /action="\/docs\/-\/search"/);
    await below.close();
  });

  it('tells clients to retry when too many searches wait', async () => {
    const busy = new MemorySearchIndex();
    busy.search = () => Promise.reject(new Refusal('unavailable', 'Too many searches wait'));
    const full = await TestServer.start({ search: busy });
    const response = await full.get('/api/search?q=a');
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '5');
    assert.equal(((await response.json()) as Json).error, 'unavailable');
    const html = await full.get('/-/search?q=a');
    assert.equal(html.status, 503);
    assert.match(await html.text(), /Too many searches wait/);
    await full.close();
  });

  it('reports a search stopped early, and makes its results uncacheable', async () => {
    const slow = new MemorySearchIndex();
    const search = slow.search.bind(slow);
    slow.search = async (...asked) => ({ ...(await search(...asked)), incomplete: true });
    const stopped = await TestServer.start({ search: slow });
    await stopped.upload('kettle-1.0-docs.zip', { 'index.html': page('Kettle', '<p>It boils.</p>') });
    await stopped.isIndexed();
    const response = await stopped.get('/api/search?q=boils');
    const { etag, 'cache-control': cached } = Object.fromEntries(response.headers);
    assert.deepEqual([response.status, etag, cached], [200, undefined, 'no-store']);
    const { results, incomplete } = (await response.json()) as Json;
    assert.deepEqual([results.length, incomplete], [1, true]);
    const again = await stopped.get('/api/search?q=boils', { 'If-None-Match': '*' });
    assert.equal(again.status, 200);
    const html = await stopped.get('/-/search?q=boils');
    assert.equal(html.headers.get('etag'), null);
    assert.match(await html.text(), /the search took too long and was stopped; there may be more/);
    await stopped.close();
  });

  it('names the last searched heading of a page that is too long', async () => {
    const long = await TestServer.start({ search: new MemorySearchIndex() });
    const html = page('Kettle', `<h2>Lid</h2><p>It whistles.${'<div>'.repeat(600)}It boils.`);
    await long.upload('kettle-1.0-docs.zip', { 'index.html': html });
    await long.isIndexed();
    const { results } = (await (await long.get('/api/search?q=whistles')).json()) as Json;
    assert.equal(results[0].read_to, 'Lid');
    const sentence = 'This page is searched up to &#39;Lid&#39;: the rest is too long';
    const body = await (await long.get('/-/search?q=whistles')).text();
    assert.ok(body.includes(sentence) || body.includes(sentence.replaceAll('&#39;', "'")), body);
    await long.close();
  });

  it('stops for a client that has left, without a log line, and distinguishes clients', async () => {
    const endless = new MemorySearchIndex();
    const asked: Waiter[] = [];
    endless.search = (_query, _live, _options, waiter = {}) =>
      new Promise((_, reject) => {
        asked.push(waiter);
        waiter.signal?.addEventListener('abort', () => reject(waiter.signal?.reason));
      });
    const waiting = await TestServer.start({ search: endless, trustProxy: true });
    for (const path of ['/api/search?q=a', '/-/search?q=a']) {
      const leaving = new AbortController();
      const headers = { 'X-Forwarded-For': '2001:db8:1:2:3::4' };
      const left = fetch(waiting.url + path, { signal: leaving.signal, headers });
      await until(async () => asked.length === 1);
      leaving.abort();
      await assert.rejects(left);
      await until(async () => asked[0]?.signal?.aborted === true);
      assert.equal(asked.pop()?.address, '2001:db8:1:2');
    }
    assert.equal((await waiting.get('/-/health')).status, 200);
    assert.deepEqual(
      waiting.log.filter((line) => 'err' in line),
      [],
    );
    await waiting.close();
  });

  it('is missing, with all its fields, when search is off', async () => {
    const without = await TestServer.start();
    await without.upload('a-1.0-docs.zip');
    assert.equal((await without.get('/api/search?q=a')).status, 404);
    assert.equal((await without.get('/-/search?q=a')).status, 404);
    assert.equal((await without.json('/-/suggest/a-1.0/install.html')).search, undefined);
    assert.equal((await without.json('/api/spec')).paths['/api/search'], undefined);
    for (const path of ['/', '/-/projects/a', '/help', '/api/help', '/a-1.0/missing.html']) {
      assert.doesNotMatch(await (await without.get(path)).text(), /-\/search|api\/search/, path);
    }
    await without.close();
  });
});
