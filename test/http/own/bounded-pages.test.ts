import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ThreadedPageComparison } from '../../../src/adapters/comparison/index.js';
import { createHttpServer, type HttpServer } from '../../../src/adapters/http/index.js';
import { ThreadedPageMarkdown } from '../../../src/adapters/markdown/threaded-page-markdown.js';
import { MemoryDocStore, MemoryTokenRegistry } from '../../../src/adapters/memory/index.js';
import { HtmlPages, libraries, publicDirectory } from '../../../src/adapters/web/index.js';
import { createUseCases } from '../../../src/application/index.js';
import type { Version } from '../../../src/domain/index.js';
import { publish } from '../../contracts/doc-store.js';
import { FakeArchives } from '../../support/fake-archives.js';
import { type Json, TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';
import { words } from '../../web/samples.js';

const namedFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.txt`, '']));

class CountingStore extends MemoryDocStore {
  lists = 0;

  override async listFiles(version: Version, max: number, withSizes: boolean) {
    this.lists += 1;
    return super.listFiles(version, max, withSizes);
  }
}

describe('The list of files of a site without a front page', () => {
  const store = new CountingStore();
  let server: HttpServer;
  let url: string;
  before(async () => {
    const quiet = { info: () => {}, warn: () => {}, error: () => {} };
    server = createHttpServer(
      {
        pages: new HtmlPages({ version: 'test', uploads: true, uploadPage: true }),
        publicDirectory,
        files: libraries,
      },
      { version: 'test', logger: quiet },
      {
        useCases: createUseCases({
          docs: store,
          tokens: new MemoryTokenRegistry(),
          archives: new FakeArchives({}),
          comparison: new ThreadedPageComparison(),
          markdown: new ThreadedPageMarkdown(),
        }),
        seenBy: (reader, now) => store.catalogue().seenBy(reader, now),
      },
    );
    url = await server.listen(0, '127.0.0.1');
  });
  after(() => server.close(1_000));

  const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

  it('is built once for all concurrent and later requests', async () => {
    await publish(store, 'many-1.0', namedFiles(100));
    store.lists = 0;
    const ask = async () => (await get('/many-1.0/')).text();
    const answers = await Promise.all(Array.from({ length: 60 }, ask));
    answers.push(await ask(), await (await get('/many-latest/')).text());
    assert.equal(new Set(answers).size, 1);
    assert.equal(store.lists, 1);
  });

  it('has an ETag, and responds 304', async () => {
    await publish(store, 'etag-1.0', namedFiles(1));
    const etag = (await get('/etag-1.0/')).headers.get('etag') ?? '';
    assert.equal((await get('/etag-1.0/', { 'If-None-Match': etag })).status, 304);
  });

  it('belongs to the new version at once after a replacement', async () => {
    await publish(store, 'new-1.0', { 'old.txt': '' });
    assert.match(await (await get('/new-1.0/')).text(), /old\.txt/);
    await publish(store, 'new-1.0', { 'new.txt': '' }, { replace: true });
    const html = await (await get('/new-1.0/')).text();
    assert.match(html, /new\.txt/);
    assert.doesNotMatch(html, /old\.txt/);
  });
});

describe("A page of a project's versions", () => {
  it('is identical whatever Host a client sends, and does not contain it', async () => {
    const server = await TestServer.start({ trustProxy: true });
    try {
      await server.upload('tool-1.0-docs.zip');
      const page = (host: string) =>
        server.raw(
          `GET /-/projects/tool HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: x.${host}\r\nConnection: close\r\n\r\n`,
        );
      const of = (answer: string) => answer.replace(/^(?:x-request-id|date): .*\r\n/gim, '');
      const first = of(await page('one.example'));
      const kept = server.keptBytes;
      for (let host = 0; host < 50; host++) assert.equal(of(await page(`${host}.example`)), first);
      assert.ok(!first.includes('one.example'));
      assert.equal(server.keptBytes, kept);
    } finally {
      await server.close();
    }
  });

  it('contains a fixed public address', async () => {
    const server = await TestServer.start({ origin: 'https://docs.example.com', basePath: '/d' });
    try {
      await server.upload('tool-1.0-docs.zip');
      const html = await (await server.get('/-/projects/tool')).text();
      assert.ok(html.includes('curl -OJ https://docs.example.com/d/api/download/tool/latest'));
    } finally {
      await server.close();
    }
  });

  it('is cached within --cache-size, and not at all with 0, however many projects are requested', async () => {
    for (const cacheBytes of [0, 400_000]) {
      const server = await TestServer.start({ cacheBytes, origin: 'https://docs.example.com' });
      try {
        for (let index = 0; index < 20; index++) await server.upload(`tool-x${index}-1.0-docs.zip`);
        const { projects } = await server.json('/api/projects');
        for (const { directory_name: name } of projects) {
          assert.equal((await server.get(`/-/projects/${name}`)).status, 200);
          assert.equal((await server.get(`/-/projects/${name}/versions.json`)).status, 200);
          assert.equal((await server.get(`/api/projects/${name}`)).status, 200);
          assert.equal((await server.get(`/-/switcher/${name}-1.0.json`)).status, 200);
          assert.ok(server.keptBytes <= cacheBytes);
        }
        for (const path of ['/', '/?sort=newest', '/sitemap.xml', '/api/projects']) {
          const before = server.keptBytes;
          assert.equal((await server.get(path)).status, 200);
          assert.equal(server.keptBytes !== before, cacheBytes > 0 && path !== '/api/projects', path);
          assert.ok(server.keptBytes <= cacheBytes);
        }
        assert.equal(server.keptBytes > 0, cacheBytes > 0);
      } finally {
        await server.close();
      }
    }
  });
});

describe('The page of a search', () => {
  it('shows 200 projects, and the total number', async () => {
    const server = await TestServer.start();
    try {
      const names = Array.from({ length: 201 }, (_, index) => `tool${String(index).padStart(3, '0')}`);
      for (const name of names.slice(1)) await mkdir(`${server.docs}/${name}-1.0`);
      const shown = async (query: string) => {
        const html = await (await server.get(query)).text();
        return { count: html.match(/<li class="row project"/g)?.length, text: words(html) };
      };
      await until(async () => (await server.json('/api/projects')).count === 200);
      const edge = await shown('/?search=TOOL');
      assert.equal(edge.count, 200);
      assert.doesNotMatch(edge.text, /the first/);
      await mkdir(`${server.docs}/${names[0]}-1.0`);
      await until(async () => (await server.json('/api/projects')).count === 201);
      const past = await shown('/?search=tool&sort=newest');
      assert.equal(past.count, 200);
      assert.match(past.text, /201 projects for “ tool ”/);
      assert.match(past.text, /Showing 200 of 201 projects\. Add a word to narrow the search/);
      assert.equal((await shown('/')).count, 201);
      assert.equal((await server.json('/api/projects?search=tool')).count, 201);
    } finally {
      await server.close();
    }
  });
});

describe('GET /api/projects with more than 1,000 versions', () => {
  it('returns all versions, in the list and in a search', async () => {
    const docs = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    for (let index = 0; index < 1_050; index++) await mkdir(join(docs, `tool${index % 3}-${index}.0`));
    const server = await TestServer.start({ docs });
    try {
      for (const path of ['/api/projects', '/api/projects?search=tool']) {
        const { projects, count } = await server.json(path);
        const versions = projects.map((project: Json) => project.versions.length);
        assert.deepEqual([versions, count], [[350, 350, 350], 3], path);
      }
    } finally {
      await server.close();
      await rm(docs, { recursive: true });
    }
  });
});
