import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Searcher } from '../../../src/adapters/search/finding/searcher.js';
import { SqliteSearchIndex } from '../../../src/adapters/search/index.js';
import { ask } from '../../support/ask-host.js';
import { type Json, TestServer } from '../../support/server.js';

const DOMAIN = 'docs.example.org';
const QUESTION = '/api/search?q=water&facets=true';

const page = (text: string) => ({ 'index.html': `<title>${text}</title><main><p>${text} water</p></main>` });

describe('A cached answer of the search index', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-search-'));
    const search = new SqliteSearchIndex({ fileOf: (revision) => join(directory, `${revision}.sqlite`) });
    server = await TestServer.start({ search, origin: `https://${DOMAIN}`, hosts: { domain: DOMAIN } });
    await server.upload('kettle-1.0-docs.zip', page('Copper'));
    await server.isIndexed();
    await server.upload('kettle-2.0-docs.zip', page('Steel'));
    await server.upload('toaster-1.0-docs.zip', page('Bread'));
    await server.isIndexed();
  });
  after(async () => {
    await server.close();
    await rm(directory, { recursive: true });
  });

  const hide = (method: 'PUT' | 'DELETE') =>
    server.fetch('/api/hidden/kettle/2.0', { method, headers: { 'X-Token': 'secret-deleter' } });
  /** Titles that the same question finds, and the projects that are counted: asked twice, so that the answer is kept. */
  async function found(): Promise<{ titles: string[]; projects: string[] }> {
    await server.json(QUESTION);
    const { results, facets } = await server.json(QUESTION);
    return {
      titles: (results as Json[]).map(({ title }) => title).sort(),
      projects: (facets.project as Json[]).map(({ name }) => name).sort(),
    };
  }
  const both = ['kettle', 'toaster'];

  it('serves the next identical search', async ({ mock }) => {
    const { mock: searches } = mock.method(Searcher.prototype, 'search');
    const first = await server.json('/api/search?q=steel');
    assert.deepEqual(await server.json('/api/search?q=steel'), first);
    assert.equal(first.total, 1);
    assert.equal(searches.callCount(), 1);
  });

  it('is dropped once a version is hidden, and again when it is shown', async () => {
    assert.deepEqual(await found(), { titles: ['Bread', 'Steel'], projects: both });
    assert.equal((await hide('PUT')).status, 200);
    await server.isIndexed();
    assert.deepEqual(await found(), { titles: ['Bread', 'Copper'], projects: both });
    assert.equal((await hide('DELETE')).status, 200);
    await server.isIndexed();
    assert.deepEqual(await found(), { titles: ['Bread', 'Steel'], projects: both });
  });

  it("is not shared with a project's host, which finds no other project", async () => {
    const path = '/-/search?q=water';
    const main = (await ask(server, DOMAIN, path)).body;
    assert.deepEqual([main.includes('Bread'), main.includes('Steel')], [true, true]);
    const own = (await ask(server, `toaster.${DOMAIN}`, path)).body;
    assert.deepEqual([own.includes('Bread'), own.includes('Steel')], [true, false]);
  });

  it('is dropped once a version is replaced or deleted', async () => {
    assert.deepEqual(await found(), { titles: ['Bread', 'Steel'], projects: both });
    await server.upload('kettle-2.0-docs.zip', page('Enamel'));
    assert.ok(!(await found()).titles.includes('Steel'));
    await server.isIndexed();
    assert.deepEqual(await found(), { titles: ['Bread', 'Enamel'], projects: both });
    assert.equal((await server.delete('toaster/1.0')).status, 200);
    assert.deepEqual(await found(), { titles: ['Enamel'], projects: ['kettle'] });
  });
});
