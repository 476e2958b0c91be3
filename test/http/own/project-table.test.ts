import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dayOf } from '../../../src/domain/index.js';
import { usageWith } from '../../contracts/usage-store.js';
import { MemoryUsageStore } from '../../support/memory-usage-store.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

const docinfo = (fields: object) => ({ 'index.html': 'x', 'docinfo.json': JSON.stringify(fields) });

describe('/-/projects', () => {
  let server: TestServer;
  before(async () => {
    const usage = new MemoryUsageStore();
    server = await TestServer.start({ ...withPrivate(), usage });
    await server.upload('shown-1.0-docs.zip', docinfo({ name: '=1+1', owner: '@SUM(A1)', group: 'A, "B"' }));
    await server.upload('shown-2.0-docs.zip');
    await server.upload('plain-1.0-docs.zip', docinfo({ owner: 'Ann', group: 'a - b;=1+1;＝2; c = d' }));
    await server.upload('vault-1.0-docs.zip');
    const key = { project: 'shown', day: dayOf(new Date()), writer: 'x' };
    await usage.write(key, usageWith(Array(3).fill('index.html'), ['a.html', 'a.html', 'b.css']));
  });
  after(() => server.close());

  const csvOf = async (query = '', headers = {}) => {
    const response = await server.get(`/-/projects?format=csv${query}`, headers);
    assert.equal(response.status, 200);
    return { headers: response.headers, lines: (await response.text()).split('\r\n') };
  };
  const names = (lines: readonly string[]) =>
    lines
      .slice(1, -1)
      .map((line) => line.split(',')[0])
      .sort();

  it('shows each reader their readable projects, as in the list of projects, as a page and as CSV', async () => {
    const canSeeVault = {
      nobody: false,
      bob: false,
      ann: true,
      insider: true,
      reader: true,
      owner: true,
      stranger: false,
    };
    for (const [who, sees] of Object.entries(canSeeVault)) {
      const headers = AS[who as keyof typeof AS];
      const { lines, headers: sent } = await csvOf('', headers);
      assert.deepEqual(names(lines), ['plain', 'shown', ...(sees ? ['vault'] : [])], who);
      const page = await server.get('/-/projects', headers);
      assert.equal((await page.text()).includes('vault'), sees, who);
      const isPrivate = who !== 'nobody';
      for (const each of [sent, page.headers])
        assert.equal(each.get('cache-control'), isPrivate ? 'private, no-cache' : 'no-cache', who);
    }
  });

  it('writes texts to CSV as texts, quoted where necessary', async () => {
    const { headers, lines } = await csvOf('&search=shown');
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="projects.csv"');
    assert.equal(
      lines[0],
      'directory_name,title,group,owner,versions,size,published,by,reads,agents,missing,dead_links,warnings',
    );
    assert.match(
      lines[1] ?? '',
      /^shown,'=1\+1,"A, ""B""",'@SUM\(A1\),2,\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,admin,3,0,2,0,0$/,
    );
    assert.deepEqual(lines.slice(2), ['']);
  });

  it('writes no formula after a semicolon, a cell separator in some countries', async () => {
    const { lines } = await csvOf('&search=plain');
    assert.match(lines[1] ?? '', /^plain,Plain,a - b;'=1\+1;'＝2; c = d,Ann,/);
  });

  it('sorts and filters by its address, and refuses unknown columns and orders', async () => {
    const order = async (query: string) =>
      (await csvOf(query)).lines.slice(1, -1).map((line) => line.split(',')[0]);
    assert.deepEqual(await order('&sort=versions'), ['shown', 'plain']);
    assert.deepEqual(await order('&sort=versions&order=asc'), ['plain', 'shown']);
    assert.deepEqual(await order('&owner=ann'), ['plain']);
    assert.deepEqual(await order('&group=none'), []);
    for (const query of ['sort=colour', 'order=up', 'format=xls', 'offset=-1', 'sort=size&sort=size']) {
      const response = await server.get(`/-/projects?${query}`);
      assert.equal(response.status, 400, query);
      await response.arrayBuffer();
    }
  });

  it('has an ETag, responds 304, and names the direction of each sorted column', async () => {
    const response = await server.get('/-/projects?sort=size');
    const html = await response.text();
    assert.match(html, /aria-sort="descending"/);
    assert.match(html, /href="\/-\/projects\?sort=size&amp;order=asc"/);
    const etag = response.headers.get('etag') ?? assert.fail();
    assert.equal((await server.get('/-/projects?sort=size', { 'If-None-Match': etag })).status, 304);
  });
});

describe('/-/projects without counts and links', () => {
  it('has no columns of counts and links, and refuses to sort by them', async () => {
    const server = await TestServer.start({ linkCheck: false });
    try {
      await server.upload('tool-1.0-docs.zip');
      const csv = await (await server.get('/-/projects?format=csv')).text();
      assert.match(
        csv,
        /^directory_name,title,group,owner,versions,size,published,by,warnings\r\ntool,Tool,,,1,/,
      );
      for (const column of ['reads', 'agents', 'missing', 'dead_links'])
        assert.equal((await server.get(`/-/projects?sort=${column}`)).status, 400);
    } finally {
      await server.close();
    }
  });
});
