import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { MemorySearchIndex } from '../../support/memory-search-index.js';
import { type Json, TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1>${body}</main>`;

describe('A search in a preview or a hidden version', () => {
  let server: TestServer;
  const index = new MemorySearchIndex();
  const revisions: string[] = [];
  before(async () => {
    const { build } = index;
    index.build = (revision, ...site) => {
      revisions.push(revision);
      return build.call(index, revision, ...site);
    };
    server = await TestServer.start({ search: index });
    await server.upload('kettle-1.0-docs.zip', { 'index.html': page('Old kettle', '<p>Copper.</p>') });
    await server.upload('kettle-2.0-docs.zip', { 'index.html': page('Kettle', '<p>Steel.</p>') });
    await publishPreview('Copper again');
    await server.upload('alone~pr-1-docs.zip', { 'index.html': page('Alone', '<p>Tin.</p>') });
    await server.isIndexed();
  });
  after(() => server.close());

  const publishPreview = (text: string) =>
    server.upload('kettle~pr-1-docs.zip', {
      'index.html': page('Proposed kettle', `<p>${text}.</p>`),
      'lid.html': page('Lid', '<h2 id="knob">The knob</h2><p>A copper knob.</p>'),
    });
  const search = (query: string) => server.json(`/api/search?${query}`);
  /** Searches until the version has been read. */
  const searchWhenRead = async (query: string): Promise<Json[]> => {
    await until(async () => (await search(query)).indexing === 0);
    return (await search(query)).results;
  };
  const urls = (results: Json[]): string[] => results.map(({ url }) => url).sort();

  it('finds its pages, at its own address, once indexed', async () => {
    assert.deepEqual(await search('q=copper&project=kettle&version=~pr-1'), {
      results: [],
      total: 0,
      corrections: [],
      omitted_terms: [],
      indexing: 1,
    });
    const results = await searchWhenRead('q=copper&project=kettle&version=~pr-1');
    assert.deepEqual(urls(results), ['/kettle~pr-1/', '/kettle~pr-1/lid.html#knob']);
    const { project, project_name, version } = results[0];
    assert.deepEqual([project, project_name, version], ['kettle', 'kettle', '~pr-1']);
    const alone = await searchWhenRead('q=tin&project=alone&version=%7Epr-1');
    assert.deepEqual(urls(alone), ['/alone~pr-1/']);
  });

  it('shows its pages at /-/search, whether or not its project has versions', async () => {
    for (const [query, link] of [
      ['q=knob&project=kettle&version=~pr-1', '/kettle~pr-1/lid.html#knob'],
      ['q=tin&project=alone&version=~pr-1', '/alone~pr-1/'],
    ] as const) {
      await searchWhenRead(query);
      const response = await server.get(`/-/search?${query}`);
      const html = await response.text();
      assert.equal(response.status, 200);
      assert.ok(html.includes(`href="${link}"`), html);
      assert.match(html, /<input type="hidden" name="version" value="~pr-1"/);
    }
  });

  it('is offered in the switcher of its pages', async () => {
    for (const directory of ['kettle~pr-1', 'alone~pr-1', 'kettle-1.0']) {
      assert.equal((await server.json(`/-/switcher/${directory}.json`)).search, true, directory);
    }
    await server.upload('quiet~pr-1-docs.zip', { 'index.html': 'x', 'docinfo.json': '{"search":false}' });
    assert.equal((await server.json('/-/switcher/quiet~pr-1.json')).search, false);
  });

  it('is the only search that finds its pages', async () => {
    const hide = await server.fetch('/api/hidden/kettle/1.0', {
      method: 'PUT',
      headers: { 'X-Token': 'secret-deleter' },
    });
    assert.equal(hide.status, 200);
    assert.deepEqual(urls(await searchWhenRead('q=copper&project=kettle&version=1.0')), ['/kettle-1.0/']);
    await searchWhenRead('q=copper&project=kettle&version=~pr-1');
    for (const query of ['q=copper', 'q=copper&project=kettle', 'q=copper+project:kettle', 'q=tin']) {
      assert.deepEqual((await search(query)).results, [], query);
    }
    assert.equal((await search('q=tin&project=alone')).error, 'project_not_found');
  });

  it('finds nothing replaced or deleted, and drops the index', async () => {
    const query = 'q=copper&project=kettle&version=~pr-1';
    assert.equal((await searchWhenRead(query)).length, 2);
    await publishPreview('Brass');
    assert.equal((await search(query)).indexing, 1);
    assert.deepEqual(urls(await searchWhenRead(query)), ['/kettle~pr-1/lid.html#knob']);
    const ofPreview = revisions.at(-1) ?? '';
    assert.equal(await index.has(ofPreview), true);
    assert.equal((await server.delete('kettle/pr-1', 'ci', 'previews')).status, 200);
    const response = await server.get(`/api/search?${query}`);
    assert.deepEqual([response.status, ((await response.json()) as Json).error], [404, 'preview_not_found']);
    const html = await server.get(`/-/search?${query}`);
    assert.equal(html.status, 404);
    assert.match(await html.text(), /No such preview/);
    await until(async () => !(await index.has(ofPreview)));
  });
});
