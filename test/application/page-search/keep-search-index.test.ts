import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type CatalogueChange,
  KeepSearchIndex,
  type KeepSearchIndexOptions,
  type SearchableSite,
  type StoredFile,
} from '../../../src/application/index.js';
import { Catalogue, type SitePath, type Version } from '../../../src/domain/index.js';
import { makeVersion } from '../../domain/make-version.js';
import { MemorySearchIndex } from '../../support/memory-search-index.js';

/** How long it waits after a change of the catalogue, in milliseconds. */
const DELAY_MS = 100;

/** Milliseconds that have passed since the start of a test: only `pass` and `until` let time pass. */
let elapsedMs = 0;

async function pass(ms: number): Promise<void> {
  elapsedMs += ms;
  mock.timers.tick(ms);
  await turn();
}

/** Lets time pass until something has happened. */
async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = elapsedMs + 2 * 60_000;
  while (!(await condition())) {
    assert.ok(elapsedMs < end, 'the condition did not come about');
    await pass(1);
  }
}

/** A store of sites that have one page each, and changes as it is told. */
class Docs {
  now = Catalogue.empty;
  failure: Error | undefined;
  /** How often somebody looked at the catalogue. */
  looks = 0;
  private readonly listeners = new Set<(change: CatalogueChange) => void>();

  catalogue() {
    this.looks += 1;
    if (this.failure !== undefined) throw this.failure;
    return this.now;
  }
  subscribe(listener: (change: CatalogueChange) => void) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  change(come: readonly Version[], gone: readonly Version[] = []) {
    this.now = this.now.changed({ come, gone });
    for (const listener of this.listeners) listener({ came: come, gone, settings: [] });
  }
  async listFiles() {
    return { paths: ['index.html', 'logo.svg'], more: false };
  }
  pageOf = (_path: string, directoryName: string) => `<title>${directoryName}</title><p>text</p>`;
  async open({ directoryName }: Version, path: SitePath) {
    const bytes = Buffer.from(this.pageOf(path.toString(), directoryName));
    const file: StoredFile = {
      size: bytes.length,
      modifiedAt: new Date(0),
      etag: '',
      async *stream() {
        yield bytes;
      },
      async close() {},
    };
    return { kind: 'file' as const, file };
  }
}

/** Notes the order of builds, and waits or fails when it is told to. */
class Index extends MemorySearchIndex {
  readonly begun: string[] = [];
  readonly built: string[] = [];
  failing: string | undefined;
  isFailing = (revision: string) => revision === this.failing;
  /** Ends when a build may go on. */
  hold: ((revision: string, signal: AbortSignal | undefined) => Promise<void>) | undefined;

  override async build(revision: string, site: SearchableSite, signal?: AbortSignal) {
    if (this.isFailing(revision)) throw new Error('no room');
    this.begun.push(revision);
    await this.hold?.(revision, signal);
    const built = await super.build(revision, site, signal);
    this.built.push(revision);
    return built;
  }
}

describe('KeepSearchIndex', () => {
  let docs: Docs;
  let index: Index;
  let reports: string[];
  const keepers: KeepSearchIndex[] = [];
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => elapsedMs);
    docs = new Docs();
    index = new Index();
    reports = [];
  });
  afterEach(async () => {
    await Promise.all(keepers.splice(0).map((keeper) => keeper.close()));
    mock.reset();
  });

  const keep = (options: Partial<KeepSearchIndexOptions> = {}) => {
    const report = (message: string, fields: object) => reports.push(`${message} ${JSON.stringify(fields)}`);
    const keeper = new KeepSearchIndex(docs, index, { scope: 'latest', report, ...options });
    keepers.push(keeper);
    keeper.start();
    return keeper;
  };
  const builds = (count: number) => until(() => index.built.length >= count);
  /** Nothing looks for what is missing, unless something changes. */
  const assertRests = async () => {
    // Whoever has built looks once more.
    await pass(1);
    const { looks } = docs;
    for (let seconds = 0; seconds < 60; seconds += 1) await pass(1_000);
    assert.equal(docs.looks, looks);
  };

  it('indexes missing versions at the start, the latest versions first', async () => {
    docs.change([
      makeVersion('a', '1.0'),
      makeVersion('a', '2.0'),
      makeVersion('a', '3.0-rc1'),
      makeVersion('b', '1.0'),
      makeVersion('c', '1.0', { docinfo: { search: false } }),
    ]);
    const keeper = keep();
    await builds(3);
    assert.deepEqual(index.built, ['a-2.0.1', 'b-1.0.1', 'a-3.0-rc1.1']);
    await until(() => keeper.status().missing === 0);
    assert.deepEqual(keeper.status(), { indexed: 3, missing: 0, built: 3, failed: 0, pages: 3 });
    const { results } = await index.search('a-2.0', [{ revision: 'a-2.0.1', project: 'a' }], { limit: 5 });
    assert.deepEqual(
      results.map(({ path }) => path),
      ['index.html'],
    );
  });

  it('keeps existing indexes', async () => {
    docs.change([makeVersion('a', '1.0'), makeVersion('b', '1.0')]);
    await index.build('a-1.0.1', { async *sample() {}, async *pages() {} });
    const keeper = keep();
    await until(() => keeper.status().indexed === 2);
    assert.deepEqual(index.built, ['a-1.0.1', 'b-1.0.1']);
  });

  it('follows the catalogue, and drops the indexes of removed versions', async () => {
    keep();
    const one = makeVersion('a', '1.0');
    docs.change([one]);
    await builds(1);
    docs.change([makeVersion('a', '1.0', { revision: 'two' })], [one]);
    await builds(2);
    assert.deepEqual([await index.has('a-1.0.1'), await index.has('two')], [false, true]);
  });

  it('aborts building a removed version, and leaves nothing of its index', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    index.hold = () => released;
    const [gone, other] = [makeVersion('a', '1.0'), makeVersion('b', '1.0')];
    docs.change([gone, other]);
    keep();
    await until(() => index.begun.includes('a-1.0.1'));
    docs.change([], [gone]);
    release();
    await builds(1);
    await until(async () => (await index.has('b-1.0.1')) && !(await index.has('a-1.0.1')));
    assert.deepEqual(reports, []);
  });

  describe('KeepSearchIndex with two builds at a time', () => {
    /** Ends the build of a revision. */
    const ending = new Map<string, () => void>();
    beforeEach(() => {
      ending.clear();
      index.hold = (revision, signal) =>
        new Promise((resolve, reject) => {
          ending.set(revision, resolve);
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
    });
    const begun = (...revisions: string[]) =>
      until(() => index.begun.length >= revisions.length).then(async () => {
        await pass(DELAY_MS);
        assert.deepEqual(index.begun, revisions);
      });
    const end = (revision: string) => ending.get(revision)?.();

    it('starts the next version when one of two builds ends', async () => {
      docs.change(['a', 'b', 'c', 'd'].map((name) => makeVersion(name, '1.0')));
      const keeper = keep({ maxBuilds: 2 });
      await begun('a-1.0.1', 'b-1.0.1');
      end('b-1.0.1');
      await begun('a-1.0.1', 'b-1.0.1', 'c-1.0.1');
      assert.deepEqual(keeper.status(), { indexed: 1, missing: 3, built: 1, failed: 0, pages: 1 });
      end('a-1.0.1');
      end('c-1.0.1');
      await begun('a-1.0.1', 'b-1.0.1', 'c-1.0.1', 'd-1.0.1');
      end('d-1.0.1');
      await until(() => keeper.status().missing === 0);
      await assertRests();
    });

    it('starts a newly published version at once while another one is being built', async () => {
      docs.change([makeVersion('a', '1.0')]);
      keep({ maxBuilds: 2 });
      await begun('a-1.0.1');
      docs.change([makeVersion('b', '1.0')]);
      await begun('a-1.0.1', 'b-1.0.1');
    });

    it('aborts only the build of the removed version', async () => {
      const gone = makeVersion('a', '1.0');
      docs.change([gone, makeVersion('b', '1.0')]);
      const keeper = keep({ maxBuilds: 2 });
      await begun('a-1.0.1', 'b-1.0.1');
      docs.change([], [gone]);
      end('b-1.0.1');
      await until(() => keeper.status().indexed === 1);
      assert.deepEqual([await index.has('a-1.0.1'), await index.has('b-1.0.1')], [false, true]);
      assert.deepEqual(reports, []);
    });

    it('pauses after a failure while another version is being built', async () => {
      index.failing = 'a-1.0.1';
      docs.change([makeVersion('a', '1.0')]);
      const keeper = keep({ maxBuilds: 2, firstPauseMs: 500 });
      await until(() => keeper.status().failed === 1);
      index.failing = undefined;
      await until(() => index.begun.length === 1);
      await assertRests();
      end('a-1.0.1');
      await until(() => keeper.status().indexed === 1);
    });

    it('aborts both builds when closed', async () => {
      docs.change([makeVersion('a', '1.0'), makeVersion('b', '1.0'), makeVersion('c', '1.0')]);
      const keeper = keep({ maxBuilds: 2 });
      await begun('a-1.0.1', 'b-1.0.1');
      await keeper.close();
      await assertRests();
      assert.deepEqual([index.begun.length, reports], [2, []]);
    });
  });

  it('indexes a searched version outside of its scope', async () => {
    const old = makeVersion('a', '1.0');
    docs.change([old, makeVersion('a', '2.0')]);
    const keeper = keep();
    await builds(1);
    keeper.want([old]);
    keeper.want([old]);
    await builds(2);
    assert.deepEqual(index.built, ['a-2.0.1', 'a-1.0.1']);
  });

  it('indexes a few searched versions, however many are requested', async () => {
    const old = Array.from({ length: 50 }, (_, at) => makeVersion('a', `1.${at}`));
    docs.change([...old, makeVersion('a', '2.0')]);
    const keeper = keep();
    await builds(1);
    keeper.want(old);
    await builds(21);
    // Versions that somebody searches in are indexed before the rest.
    docs.change([makeVersion('b', '1.0')]);
    await builds(22);
    assert.equal(index.built.indexOf('b-1.0.1'), 21);
  });

  it('rebuilds a damaged index, and reports it once', async () => {
    const version = makeVersion('a', '1.0');
    docs.change([version]);
    const keeper = keep();
    await builds(1);
    await until(() => keeper.status().indexed === 1);
    await index.drop('a-1.0.1');
    keeper.want([version]);
    keeper.want([version]);
    await builds(2);
    assert.deepEqual(reports, ['a search index is damaged or missing; rebuilding it {"version":"a-1.0"}']);
  });

  /** Lets an index be built and made again once because it is damaged. */
  const madeAgain = async (keeper: KeepSearchIndex, version: Version) => {
    await until(() => keeper.status().indexed === 1);
    await index.drop(version.revision);
    keeper.want([version], true);
    await until(() => index.built.length === 2 && keeper.status().indexed === 1);
  };

  it('treats an index damaged again after its rebuild as a failed build, and reports it once', async () => {
    const version = makeVersion('a', '1.0');
    docs.change([version]);
    const keeper = keep({ firstPauseMs: 3_600_000 });
    await madeAgain(keeper, version);
    for (let searches = 0; searches < 5; searches += 1) {
      await index.drop('a-1.0.1');
      keeper.want([version], true);
    }
    docs.change([makeVersion('b', '1.0')]);
    await builds(3);
    await until(() => keeper.status().indexed === 1);
    assert.deepEqual(index.built, ['a-1.0.1', 'a-1.0.1', 'b-1.0.1']);
    assert.equal(await index.has('a-1.0.1'), false);
    assert.equal(keeper.status().failed, 1);
    assert.equal(reports.length, 2);
    assert.match(reports[0] ?? '', /^a search index is damaged or missing; rebuilding it .*"a-1.0"/);
    assert.match(
      reports[1] ?? '',
      /^a version could not be indexed for search; trying again later .*"a-1.0"/,
    );
  });

  it('rebuilds an index that is damaged again and again after growing pauses', async () => {
    const version = makeVersion('a', '1.0');
    docs.change([version]);
    const keeper = keep({ firstPauseMs: 100 });
    await madeAgain(keeper, version);
    for (const [times, pauseMs] of [100, 200, 400].entries()) {
      const before = elapsedMs;
      await index.drop('a-1.0.1');
      keeper.want([version], true);
      await pass(1);
      const looks = docs.looks;
      while (elapsedMs < before + pauseMs - 1) await pass(1);
      assert.deepEqual([index.built.length, docs.looks], [2 + times, looks]);
      await pass(1);
      await until(() => index.built.length === 3 + times && keeper.status().indexed === 1);
    }
    assert.equal(keeper.status().failed, 3);
    assert.equal(reports.length, 2);
    await assertRests();
  });

  it('indexes the beginning of a too large version, reports it once, and continues with other versions', async () => {
    docs.listFiles = async () => ({ paths: ['a.html', 'b.html', 'c.html', 'logo.svg'], more: false });
    docs.change([makeVersion('a', '1.0'), makeVersion('b', '1.0')]);
    const keeper = keep({ limits: { bytes: 40, milliseconds: 3_600_000 } });
    await until(() => keeper.status().indexed === 2);
    assert.deepEqual(keeper.status(), { indexed: 2, missing: 0, built: 2, failed: 0, pages: 4 });
    assert.deepEqual(
      reports,
      ['a-1.0', 'b-1.0'].map(
        (version) =>
          `a version is too large for the search index; search will not find some of its pages {"version":"${version}","pagesLeftOut":1}`,
      ),
    );
    const { results } = await index.search('text', [{ revision: 'a-1.0.1', project: 'a' }], { limit: 5 });
    assert.deepEqual(results.map(({ path }) => path).sort(), ['a.html', 'b.html']);
  });

  it('reports pages too long to be indexed to their ends', async () => {
    docs.listFiles = async () => ({ paths: ['a.html', 'b.html', 'c.html'], more: false });
    docs.pageOf = (path) => (path === 'c.html' ? '<p>text' : `<p>text${'<div>'.repeat(600)}more`);
    docs.change([makeVersion('a', '1.0')]);
    const keeper = keep();
    await until(() => keeper.status().indexed === 1);
    assert.deepEqual(reports, [
      'pages of a version are too long for the search index; search will not find parts of them {"version":"a-1.0","pages":2}',
    ]);
  });

  it('reports a damaged index found by a search first', async () => {
    const version = makeVersion('a', '1.0');
    docs.change([version]);
    keep().want([version, makeVersion('gone', '1.0')], true);
    await builds(1);
    assert.deepEqual(index.built, ['a-1.0.1']);
    assert.deepEqual(reports, ['a search index is damaged or missing; rebuilding it {"version":"a-1.0"}']);
  });

  it('reports a damaged index that cannot be removed once', async () => {
    const version = makeVersion('a', '1.0');
    docs.change([version]);
    const keeper = keep();
    await builds(1);
    await until(() => keeper.status().indexed === 1);
    // The file is still there, so it passes for an index until the next search.
    for (let searches = 0; searches < 3; searches += 1) {
      keeper.want([version]);
      assert.equal(keeper.status().indexed, 0);
      await until(() => keeper.status().indexed === 1);
    }
    assert.deepEqual(reports, ['a search index is damaged or missing; rebuilding it {"version":"a-1.0"}']);
    assert.equal(index.built.length, 1);
  });

  it('reports nothing for a version removed right before indexing', async () => {
    docs.change([makeVersion('a', '1.0')]);
    index.build = async () => {
      docs.now = Catalogue.empty;
      throw new Error('ENOENT');
    };
    const keeper = keep();
    await until(() => docs.now === Catalogue.empty);
    await keeper.close();
    assert.deepEqual([reports, keeper.status().failed], [[], 0]);
  });

  it('continues with other versions when one fails, and reports the failure once', async () => {
    index.failing = 'a-1.0.1';
    docs.change([makeVersion('a', '1.0'), makeVersion('b', '1.0')]);
    const keeper = keep();
    await builds(1);
    docs.change([makeVersion('c', '1.0')]);
    await builds(2);
    assert.deepEqual(index.built, ['b-1.0.1', 'c-1.0.1']);
    assert.equal(reports.length, 1);
    assert.match(
      reports[0] ?? '',
      /^a version could not be indexed for search; trying again later .*"a-1.0"/,
    );
    assert.equal(keeper.status().failed, 1);
  });

  it('indexes a searched version, however many other searched versions always fail', async () => {
    const failing = Array.from({ length: 20 }, (_, at) =>
      makeVersion('a', `1.${at}`, { revision: `bad${at}` }),
    );
    const good = makeVersion('a', '1.99');
    docs.change([...failing, good, makeVersion('a', '2.0')]);
    index.isFailing = (revision) => revision.startsWith('bad');
    const keeper = keep();
    await builds(1);
    keeper.want(failing);
    await until(() => keeper.status().failed === 20);
    keeper.want([...failing, good]);
    await builds(2);
    assert.deepEqual(index.built, ['a-2.0.1', 'a-1.99.1']);
    assert.equal(keeper.status().failed, 20);
  });

  it('retries a failed version when it is searched after the pause', async () => {
    const old = makeVersion('a', '1.0');
    docs.change([old, makeVersion('a', '2.0')]);
    index.failing = 'a-1.0.1';
    const keeper = keep({ firstPauseMs: 1 });
    await builds(1);
    keeper.want([old]);
    await until(() => keeper.status().failed === 1);
    index.failing = undefined;
    await until(() => {
      keeper.want([old]);
      return index.built.length === 2;
    });
    assert.deepEqual(index.built, ['a-2.0.1', 'a-1.0.1']);
  });

  for (const [what, then] of Object.entries({
    'a newer version takes its place': () => docs.change([makeVersion('a', '2.0')]),
    'another process has built it': () => index.build('a-1.0.1', { async *sample() {}, async *pages() {} }),
  })) {
    it(`pauses after a failure when ${what} before the next attempt`, async () => {
      index.failing = 'a-1.0.1';
      docs.change([makeVersion('a', '1.0')]);
      const pauseMs = 500;
      const keeper = keep({ firstPauseMs: pauseMs });
      await until(() => keeper.status().failed === 1);
      index.failing = undefined;
      await then();
      await until(() => keeper.status().missing === 0);
      await pass(pauseMs);
      await assertRests();
    });
  }

  it('leaves the scope to the first of several processes, and indexes only versions requested of itself', async () => {
    const old = makeVersion('a', '1.0');
    docs.change([old, makeVersion('a', '2.0')]);
    let asked = 0;
    const keeper = keep({ isFirst: async () => ++asked === 0 });
    await until(() => asked > 0);
    keeper.want([old, ...(docs.now.project('a')?.versions ?? [])]);
    await builds(1);
    assert.deepEqual(index.built, ['a-1.0.1']);
  });

  it('indexes all versions with the scope "all"', async () => {
    docs.change(['1.0', '1.1', '2.0'].map((label) => makeVersion('a', label)));
    keep({ scope: 'all' });
    await builds(3);
    assert.deepEqual(index.built, ['a-2.0.1', 'a-1.1.1', 'a-1.0.1']);
  });
});
