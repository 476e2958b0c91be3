import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { ThreadedLinkChecking } from '../../src/adapters/links/threaded-link-checking.js';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import {
  CheckLinks,
  FindPage,
  HouseLinks,
  type HouseReport,
  type LinkChecking,
} from '../../src/application/index.js';
import { HostTable, NO_SETTINGS, type Reader, withAlias } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';
import { until } from '../support/until.js';

const TEXT = `<h1 id="top-of-it">Title</h1><p>${'word '.repeat(20)}</p>`;
const pageOf = (...links: string[]) => links.map((link) => `<a href="${link}">`).join('') + TEXT;
const AT = { basePath: '/docs', host: 'docs.example.org', domain: 'docs.example.org' };
const without = (project: string): Reader => ({
  rights: `not ${project}`,
  maySee: (name) => name !== project,
});

describe('HouseLinks', () => {
  const threads = new ThreadedLinkChecking();
  after(() => threads.close());

  async function world(context: TestContext) {
    const docs = new MemoryDocStore();
    const asked: string[] = [];
    const checking = {
      outward: (...[file, question]: Parameters<typeof threads.outward>) => {
        asked.push(`links of ${question.directoryName}`);
        return threads.outward(file, question);
      },
      missing: (...[site, places]: Parameters<typeof threads.missing>) => {
        asked.push(`places ${places.join(' ')}`);
        return threads.missing(site, places);
      },
    };
    const links = new CheckLinks(docs, threads, { note: async () => {} });
    const house = new HouseLinks(docs, links, checking, new FindPage(docs), {
      at: AT,
      hostsOf: (seen) => new HostTable(seen, () => '222222222222'),
      report: (message) => assert.fail(message),
    });
    context.after(() => house.close());
    house.start();
    const of = async (name: string, reader?: Reader): Promise<HouseReport> => {
      let report: HouseReport | undefined;
      await until(() => {
        const seen = reader ? docs.catalogue().seenBy(reader, new Date()) : seenIn(docs);
        report = house.of(seen, seen.locate(name) ?? assert.fail());
        return report.isChecked;
      });
      return report ?? assert.fail();
    };
    const put = (name: string, files: Readonly<Record<string, string>>) =>
      publish(docs, name, files, { replace: true });
    const deadOf = async (name: string, reader?: Reader) =>
      (await of(name, reader)).links.map(({ link, missing }) => `${missing}: ${link}`);
    return {
      docs,
      asked,
      put,
      /** Links of a version to others that lead nowhere. */
      deadOf,
      /** Publishes tool 1.0 with links, and asserts which of them lead nowhere. @param dead the missing thing and the link */
      assertDead: async (alive: readonly string[], dead: readonly (readonly [string, string])[]) => {
        await put('tool-1.0', { 'index.html': pageOf(...alive, ...dead.map(([, link]) => link)) });
        assert.deepEqual(
          await deadOf('tool-1.0'),
          dead.map(([missing, link]) => `${missing}: ${link}`),
        );
      },
      /** Links of others that lead nowhere in the project of a version. */
      brokenIn: async (name: string, reader?: Reader) =>
        (await of(name, reader)).here.map(
          ({ version, page, link }) => `${version.directoryName}/${page}: ${link}`,
        ),
      remove: async (name: string) => docs.remove(seenIn(docs).version(name) ?? assert.fail()),
    };
  }

  it('finds the targets of links to other projects and versions, for every base', async (context) => {
    const { put, assertDead, brokenIn } = await world(context);
    await put('lib-1.0', { 'index.html': TEXT, 'guide/index.html': TEXT, _redirects: '/old /guide/ 301' });
    await put('lib-2.0', { 'index.html': TEXT });
    const there = [
      '../lib-1.0/guide/',
      '/docs/lib-1.0/guide/#top-of-it',
      '/docs/lib-1.0/old',
      '/docs/lib-latest/',
      'https://docs.example.org/docs/lib-1.0/guide',
      '//docs.example.org/docs/tool-1.0/',
      'https://lib.docs.example.org/',
      'https://1-0--lib.docs.example.org/guide/?q=1',
      // They lead to no site of the server.
      '/elsewhere/lib-9/',
      '/docs/-/search',
      '/docs/lib-1.0-docs.zip',
      'https://example.com/docs/lib-9/',
      'missing-here.html',
    ];
    const dead = [
      ['page', '../lib-2.0/guide/'],
      ['anchor', '/docs/lib-1.0/guide/#gone'],
      ['version', 'http://docs.example.org/docs/lib-3.0/'],
      ['project', '/docs/none-latest/x.html'],
      ['page', 'https://lib.docs.example.org/guide/'],
      ['version', 'https://9-0--lib.docs.example.org/'],
      ['project', 'https://none.docs.example.org/'],
    ] as const;
    await assertDead(there, dead);
    const inLib = dead.filter(([, link]) => link.includes('lib'));
    assert.deepEqual(
      await brokenIn('lib-2.0'),
      inLib.map(([, link]) => `tool-1.0/index.html: ${link}`),
    );
  });

  it('follows new versions, moved aliases and deletions, and rereads only changed versions', async (context) => {
    const { docs, asked, put, deadOf, brokenIn, remove } = await world(context);
    await put('lib-1.0', { 'index.html': TEXT, 'a.html': TEXT });
    await put('other-1.0', { 'index.html': TEXT });
    await docs.changeSettings('lib', () => withAlias(NO_SETTINGS, 'lts', '1.0'));
    const links = ['/docs/lib-latest/a.html', '/docs/lib-lts/a.html', '/docs/lib-1.0/a.html'] as const;
    const [latest, lts, exact] = links.map((link) => `tool-1.0/index.html: ${link}`);
    await put('tool-1.0', { 'index.html': pageOf(...links, '/docs/other-1.0/') });
    assert.deepEqual(await deadOf('tool-1.0'), []);
    asked.length = 0;
    await put('lib-2.0', { 'index.html': TEXT, 'b.html': TEXT });
    assert.deepEqual(await brokenIn('lib-2.0'), [latest]);
    assert.deepEqual(asked, ['links of lib-2.0', 'places a.html', 'places a.html']);
    await docs.changeSettings('lib', () => withAlias(NO_SETTINGS, 'lts', '2.0'));
    assert.deepEqual(await brokenIn('lib-2.0'), [latest, lts]);
    await remove('lib-1.0');
    assert.deepEqual(await brokenIn('lib-2.0'), [latest, lts, exact]);
    await put('lib-2.0', { 'a.html': TEXT });
    assert.deepEqual(await brokenIn('lib-2.0'), [exact]);
    await put('tool-1.0', { 'index.html': TEXT });
    assert.deepEqual(await brokenIn('lib-2.0'), []);
  });

  it('follows the redirects of the latest version', async (context) => {
    const { put, deadOf } = await world(context);
    await put('lib-1.0', { 'new.html': TEXT });
    await put('lib-2.0', { 'new.html': TEXT, _redirects: '/old.html /new.html 301' });
    await put('tool-1.0', { 'index.html': pageOf('/docs/lib-1.0/old.html', '/docs/lib-1.0/other.html') });
    assert.deepEqual(await deadOf('tool-1.0'), ['page: /docs/lib-1.0/other.html']);
  });

  it('checks short addresses of projects, and no rooted link that may lead to a page of its own site', async (context) => {
    const { put, assertDead, brokenIn } = await world(context);
    await put('my-lib-1.0', { 'index.html': TEXT, 'guide.html': TEXT });
    const alive = [
      '/docs/my-lib',
      '/docs/my-lib/',
      '/docs/my-lib/guide.html#top-of-it',
      '/docs/getting-started/',
    ];
    const dead = [
      ['page', '/docs/my-lib/none.html'],
      ['version', '/docs/my-lib-main/'],
      ['project', 'https://docs.example.org/docs/gone-main/'],
      ['project', '../gone-main/'],
    ] as const;
    await assertDead(alive, dead);
    assert.deepEqual(await brokenIn('my-lib-1.0'), [
      'tool-1.0/index.html: /docs/my-lib/none.html',
      'tool-1.0/index.html: /docs/my-lib-main/',
    ]);
  });

  it('checks an alias for readers who may not know of the project that shadows it', async (context) => {
    const { docs, put, deadOf } = await world(context);
    for (const name of ['lib-1.0', 'lib-2.0', 'lib-next-1.0']) await put(name, { 'index.html': TEXT });
    await docs.changeSettings('lib', () => withAlias(NO_SETTINGS, 'next', '1.0'));
    const [front, none, onHost] = [
      '/docs/lib-next/',
      '/docs/lib-next/none.html',
      'https://next--lib.docs.example.org/x',
    ];
    await put('tool-1.0', { 'index.html': pageOf(front, none, onHost) });
    assert.deepEqual(await deadOf('tool-1.0'), [`page: ${none}`, `version: ${onHost}`]);
    const stranger = without('lib-next');
    const unaware: Reader = { ...stranger, mayKnowOf: stranger.maySee };
    assert.deepEqual(await deadOf('tool-1.0', unaware), [`page: ${none}`, `page: ${onHost}`]);
  });

  it('reveals no unreadable project to a reader', async (context) => {
    const { put, deadOf, brokenIn } = await world(context);
    await put('vault-1.0', { 'index.html': pageOf('/docs/lib-1.0/none.html') });
    await put('lib-1.0', { 'index.html': pageOf('/docs/vault-1.0/', '/docs/vault-2.0/', '/docs/none-1.0/') });
    assert.deepEqual(await deadOf('lib-1.0'), ['version: /docs/vault-2.0/', 'project: /docs/none-1.0/']);
    assert.deepEqual(await brokenIn('lib-1.0'), ['vault-1.0/index.html: /docs/lib-1.0/none.html']);
    const stranger = without('vault');
    assert.deepEqual(await deadOf('lib-1.0', stranger), [
      'project: /docs/vault-1.0/',
      'project: /docs/vault-2.0/',
      'project: /docs/none-1.0/',
    ]);
    assert.deepEqual(await brokenIn('lib-1.0', stranger), []);
  });

  it('reads the links of older versions and previews on first request', async (context) => {
    const { asked, put, deadOf, brokenIn } = await world(context);
    for (const name of ['tool-1.0', 'tool~pr-1']) await put(name, { 'index.html': pageOf('/docs/lib-9/') });
    await put('tool-2.0', { 'index.html': TEXT });
    await put('lib-1.0', { 'index.html': TEXT });
    assert.deepEqual(await brokenIn('lib-1.0'), []);
    assert.ok(!asked.includes('links of tool-1.0'));
    for (const name of ['tool-1.0', 'tool~pr-1']) {
      assert.deepEqual(await deadOf(name), ['version: /docs/lib-9/']);
    }
    assert.deepEqual(await brokenIn('lib-1.0'), [], 'they are in no list');
  });

  it('gives way to others between redirects of dead links', async (context) => {
    const docs = new MemoryDocStore();
    for (const name of ['lib-1.0', 'lib-2.0']) await publish(docs, name, { 'index.html': TEXT });
    const links = Array.from({ length: 100 }, (_, index) => `/docs/lib-1.0/${index}.html`);
    await publish(docs, 'tool-1.0', { 'index.html': pageOf(...links) });
    let inTurn = 0;
    const counts: number[] = [];
    const nextTurn = () => {
      inTurn = 0;
      if (counts.length < links.length) setImmediate(nextTurn);
    };
    nextTurn();
    const moved = async () => {
      inTurn += 1;
      counts.push(inTurn);
      return undefined;
    };
    const known = new CheckLinks(docs, threads, { note: async () => {} });
    const house = new HouseLinks(docs, known, threads, { moved }, { at: AT, hostsOf: () => undefined });
    context.after(() => house.close());
    house.start();
    const of = () => house.of(seenIn(docs), seenIn(docs).locate('tool-1.0') ?? assert.fail());
    await until(() => of().isChecked);
    assert.deepEqual([of().dead, counts.length], [links.length, links.length]);
    assert.ok(Math.max(...counts) <= 2, `${Math.max(...counts)} in one turn`);
  });

  it('aborts running work when closed', async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'tool-1.0', { 'index.html': TEXT });
    let hasBegun = false;
    const checking: Pick<LinkChecking, 'outward' | 'missing'> = {
      outward: (_file, _question, { signal } = {}) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          hasBegun = true;
        }),
      missing: () => assert.fail(),
    };
    const links = new CheckLinks(docs, threads, { note: async () => {} });
    const options = { at: AT, hostsOf: () => undefined, report: () => assert.fail() };
    const house = new HouseLinks(docs, links, checking, new FindPage(docs), options);
    house.start();
    // Whoever asks does not wait for the delay after the start.
    house.of(seenIn(docs), seenIn(docs).locate('tool-1.0') ?? assert.fail());
    await until(() => hasBegun);
    await house.close();
    await house.close();
  });
});
