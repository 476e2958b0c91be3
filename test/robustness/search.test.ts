import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { DATABASE_NAME, SqliteSearchIndex } from '../../src/adapters/search/index.js';
import { readYamlDocinfo } from '../../src/adapters/yaml/index.js';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { type PageHit, SearchPages } from '../../src/application/index.js';
import { SitePath } from '../../src/domain/index.js';
import { seenIn } from '../support/seen-in.js';
import { SpawnedServer } from '../support/spawned-server.js';
import { until } from '../support/until.js';
import { zipOf } from '../support/zip-writer.js';
import { remove, TOKENS_JSON, upload } from './client.js';

/** Searches in all; `LECTERN_SEARCHES=10000` makes it a long hunt. */
const SEARCHES = Number(process.env.LECTERN_SEARCHES ?? 200);
const ROUNDS = 2;
const NAMES = ['a-1.0', 'a-2.0', 'b-1.0', 'c-1.0', 'd-1.0-rc1'];

let published = 0;
/** A site whose pages have names and words that no other site has. */
function archive(): Buffer {
  published += 1;
  const mark = `mark${published}x`;
  const pages = Array.from({ length: 20 }, (_, at) => [
    `${mark}/p${at}.html`,
    `<title>Page ${at} of ${mark}</title><p>apple ${mark} ${'words '.repeat(50)}</p>`,
  ]);
  return zipOf(Object.fromEntries([['index.html', `<title>${mark}</title><p>apple</p>`], ...pages]));
}

/** A second server on the directory, which only searches. */
class Reader {
  private constructor(
    private readonly archives: ZipArchives,
    readonly store: FilesystemDocStore,
    private readonly index: SqliteSearchIndex,
    readonly pages: SearchPages,
  ) {}

  static async open(docs: string): Promise<Reader> {
    const archives = new ZipArchives(readYamlDocinfo);
    const store = await FilesystemDocStore.open(docs, { archives, readDocinfo: readYamlDocinfo, pollMs: 20 });
    const index = new SqliteSearchIndex({
      fileOf: (revision) => store.derivedPath(revision, DATABASE_NAME) ?? '',
      isApart: true,
    });
    return new Reader(archives, store, index, new SearchPages(store, index));
  }

  /** Searches, and reads each page that was found. */
  async search(query: string): Promise<readonly PageHit[]> {
    const { hits } = await this.pages.find(() => seenIn(this.store), { query, limit: 5 });
    for (const { version, path, title } of hits) {
      const entry = await this.store.open(version, SitePath.of(path) ?? assert.fail(path));
      assert.ok(entry?.kind === 'file', `${version.directoryName}/${path} was found, and is not there`);
      const html = await text(entry.file.stream());
      assert.ok(html.includes(`<title>${title}</title>`) && html.includes('apple'), html.slice(0, 100));
    }
    return hits;
  }

  async close(): Promise<void> {
    await this.index.close();
    await this.store.close();
    await this.archives.close();
  }
}

describe('Search while versions are uploaded, replaced and deleted, and the server is killed', () => {
  let place: string;
  let docs: string;
  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'lectern-search-'));
    docs = join(place, 'docs');
    await mkdir(docs);
    await writeFile(join(place, 'tokens.json'), TOKENS_JSON);
  });
  after(() => rm(place, { recursive: true }));
  const start = () =>
    SpawnedServer.start(['-d', docs, '--tokens', join(place, 'tokens.json'), '--log-level', 'error']);

  /** Waits until the latest version of a project can be searched. */
  const isIndexed = (url: string, project: string) =>
    until(async () => {
      const answer = await fetch(`${url}/api/search?q=apple&project=${project}`);
      return ((await answer.json()) as { indexing: number }).indexing === 0;
    });

  /** Changes one version again and again, until the server is gone. */
  async function change(url: string, name: string): Promise<void> {
    const project = name.slice(0, 1);
    try {
      for (let at = 0; ; at += 1) {
        if (at % 4 === 3) await remove(url, project, name.slice(2));
        else await upload(url, name, archive());
        // A replaced version is in the index. A removed one is being indexed.
        if (at % 4 < 2) await isIndexed(url, project);
        await sleep(Math.random() * 200);
      }
    } catch (error) {
      // The server was killed.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  it('finds no missing page, and in the end all existing ones', async (t) => {
    let found = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      // The server is the first to open the directory, so it is the one that indexes.
      const server = await start();
      const reader = await Reader.open(docs);
      const changing = NAMES.map((name) => change(server.url, name));
      try {
        await until(async () => (await reader.search('apple')).length > 0);
        for (let at = 0; at < SEARCHES / ROUNDS; at += 1) {
          const words = ['apple', 'page', `mark${published - (at % 7)}x`];
          found += (await reader.search(words[at % 3] ?? '')).length;
          await sleep(5);
        }
      } finally {
        await server.stop('SIGKILL');
        await Promise.all(changing);
        await reader.close();
      }
    }
    t.diagnostic(`${SEARCHES} searches found ${found} pages in ${published} publications`);
    assert.ok(found > 0);

    const server = await start();
    await upload(server.url, 'a-2.0', archive());
    const reader = await Reader.open(docs);
    await until(async () => {
      const { indexing } = await reader.pages.find(() => seenIn(reader.store), { query: 'apple', limit: 50 });
      return indexing.length === 0;
    });
    const { projects } = reader.store.catalogue();
    for (const { latest, directoryName } of projects) {
      const [hit] = (
        await reader.pages.find(() => seenIn(reader.store), {
          query: 'apple',
          project: directoryName,
          limit: 1,
        })
      ).hits;
      assert.equal(hit?.version.revision, latest.revision);
    }
    // No files are left of versions that were being indexed when the server was killed.
    const revisions = new Set(projects.flatMap(({ versions }) => versions.map(({ revision }) => revision)));
    const isLeft = (name: string) => !revisions.has(name.split('/')[0] ?? '') || name.endsWith('.part');
    const left = async () =>
      (await readdir(join(docs, '.lectern/derived'), { recursive: true })).filter(isLeft);
    await until(async () => (await left()).length === 0).catch(async (error) => {
      throw new Error(`left: ${await left()}`, { cause: error });
    });
    await reader.close();
    await server.stop();
  });
});
