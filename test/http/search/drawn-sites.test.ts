import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { SqliteSearchIndex } from '../../../src/adapters/search/index.js';
import { DOCSIFY, REDOC, STORYBOOK } from '../../support/drawn-files.js';
import { mcpClient } from '../../support/mcp-client.js';
import { TestServer } from '../../support/server.js';

/** Each kind of site, with a page of it as a search, a list of pages and an agent give it. */
const SITES = [
  {
    project: 'storybook',
    files: STORYBOOK,
    query: 'spout',
    title: 'Components/Button',
    url: '/storybook-latest/?path=/story/components-button--with-spout',
    listed: '?path=/docs/components-button--docs',
    path: './?path=/docs/components-button--docs',
    says: /## With a spout \{#components-button--with-spout\}\n\nTags: experimental/,
    pages: 3,
  },
  {
    project: 'docsify',
    files: DOCSIFY,
    query: 'napkin',
    title: 'Pouring',
    url: '/docsify-latest/#/guide?id=drip-and-drop',
    listed: 'guide.md',
    path: './#/guide',
    says: /## Drip and drop! \{#drip-and-drop\}\n\nA \*napkin\* helps/,
    pages: 3,
  },
  {
    project: 'redoc',
    files: REDOC,
    query: 'boilSamovar',
    title: 'Boil a samovar',
    url: '/redoc-latest/#operation/boilSamovar',
    listed: '#operation/boilSamovar',
    path: './#operation/boilSamovar',
    says: /`POST \/samovars\/\{id\}\/boil`[\s\S]*`id` \(path, required\): Which samovar/,
    pages: 4,
  },
];

let server: TestServer;
let directory: string;
let client: Client;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'lectern-drawn-'));
  const search = new SqliteSearchIndex({ fileOf: (revision) => join(directory, revision), isApart: true });
  server = await TestServer.start({ search, origin: 'https://docs.example' });
  for (const { project, files } of SITES) {
    assert.equal((await server.upload(`${project}-1.0-docs.zip`, files)).status, 201);
  }
  await server.isIndexed();
  client = await mcpClient(server);
});
after(async () => {
  await client.close();
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

async function tool(name: string, args: Record<string, unknown>): Promise<string> {
  const { content } = await client.callTool({ name, arguments: args });
  const [first] = content as unknown as readonly [{ readonly text: string }];
  return first.text;
}

for (const { project, query, title, url, listed, path, says, pages } of SITES) {
  describe(`A site of ${project}, drawn by a script,`, () => {
    it('is found by a search, at the address that opens the page', async () => {
      const found = await server.json(`/api/search?q=${query}&project=${project}`);
      assert.equal(found.results[0]?.title, title);
      assert.equal(found.results[0]?.url, url);
      assert.equal(found.results[0]?.path, path);
    });

    it('has its pages in llms.txt, each with an address', async () => {
      const text = await (await server.get(`/${project}-1.0/llms.txt`)).text();
      assert.ok(text.includes(`- [${title}](https://docs.example/${project}-1.0/${listed})`), text);
      assert.equal(text.match(/^- \[/gm)?.length, pages, text);
    });

    it('is listed, searched and read by agents', async () => {
      assert.match(
        await tool('list_pages', { project }),
        new RegExp(`^${escapedForRegExp(path)}: ${title}$`, 'm'),
      );
      const answer = await tool('search_docs', { project, query });
      const [, shown = ''] = /^\[(\S+)\] /m.exec(answer) ?? [];
      for (const asked of [shown, path, `https://docs.example/${project}-1.0/${path.slice(2)}`]) {
        const page = await tool('read_page', { project, path: asked });
        assert.match(page, new RegExp(`^title: ${title}$`, 'm'), asked);
        assert.match(page, says, asked);
      }
    });

    it('is read by agents at its browser address only', async () => {
      const page = await tool('read_page', { path: `https://docs.example${url}` });
      assert.match(page, new RegExp(`^title: ${title}\\n`, 'm'));
    });
  });
}

describe('A site that a script draws', () => {
  it('has all of its pages in the parts of llms.txt, however many there are', async () => {
    const ids = Array.from({ length: 2_000 }, (_, at) => `component-${at}`);
    const entries = Object.fromEntries(
      ids.map((id) => [id, { id, title: id, name: 'Plain', type: 'story' }]),
    );
    const files = { ...STORYBOOK, 'index.json': JSON.stringify({ v: 5, entries }) };
    assert.equal((await server.upload('many-1.0-docs.zip', files)).status, 201);
    const listed = new Set<string>();
    for (let part = 1; ; part += 1) {
      const text = await (await server.get(`/many-1.0/llms.txt?part=${part}`)).text();
      assert.ok(text.length <= 50_000, `${text.length}`);
      for (const [, id = ''] of text.matchAll(/\?path=\/story\/([\w-]+)\)/g)) listed.add(id);
      if (!text.includes(`part=${part + 1}`)) break;
    }
    assert.deepEqual([...listed], ids);
  });

  it('is found, listed and read in a copied-in directory', async () => {
    for (const [path, text] of Object.entries(DOCSIFY)) {
      await mkdir(join(server.docs, 'by-hand-1.0', dirname(path)), { recursive: true });
      await writeFile(join(server.docs, 'by-hand-1.0', path), text);
    }
    await server.shows('/by-hand-1.0/');
    await server.isIndexed();
    const { results } = await server.json('/api/search?q=napkin&project=by-hand');
    assert.equal(results[0]?.url, '/by-hand-latest/#/guide?id=drip-and-drop');
    assert.match(await tool('list_pages', { project: 'by-hand' }), /^\.\/#\/guide: Pouring$/m);
    assert.match(await tool('read_page', { project: 'by-hand', path: './#/guide' }), /napkin/);
  });

  it('equals its front page when its data is unreadable', async () => {
    const files = { ...STORYBOOK, 'index.json': '{"v":5,' };
    assert.equal((await server.upload('broken-1.0-docs.zip', files)).status, 201);
    await server.isIndexed();
    const { results } = await server.json('/api/search?q=storybook&project=broken');
    const paths = results.map(({ path }: { readonly path: string }) => path);
    assert.deepEqual(paths.sort(), ['iframe.html', 'index.html']);
    const text = await (await server.get('/broken-1.0/llms.txt')).text();
    assert.match(text, /\/broken-1\.0\/index\.html\.md\)/);
    assert.match(
      await tool('read_page', { project: 'broken', path: './?path=/docs/a' }),
      /^title: storybook/m,
    );
  });
});

function escapedForRegExp(text: string): string {
  return text.replace(/[.?*+^$()|{}[\]\\]/g, '\\$&');
}
