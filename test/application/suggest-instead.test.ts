import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { FindPage, GoToPage, SuggestInstead } from '../../src/application/index.js';
import { PageAddress, type Version } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { seenIn } from '../support/seen-in.js';

/** Counts how often files are listed, and lists none while `gate` is closed. */
class CountingStore extends MemoryDocStore {
  lists = 0;
  gate: Promise<void> = Promise.resolve();

  override async listFiles(version: Version, max: number, withSizes?: boolean) {
    this.lists += 1;
    await this.gate;
    return super.listFiles(version, max, withSizes);
  }
}

/** Looks at a deadline that it takes until it is over. */
const afterLooks = (looks: number) => () => {
  let left = looks;
  return {
    get isOver() {
      left -= 1;
      return left < 0;
    },
  };
};

/** Turns of the event loop that a work leaves to others until it ends. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => {
    isOver = true;
  });
  return turns;
}

const many = (count: number, path: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [path(index), 'x']));

async function located(docs: MemoryDocStore, name: string) {
  const { project, version } = docs.catalogue().locate(name) ?? assert.fail(name);
  return { what: 'page', project, version } as const;
}

describe('A suggestion for a missing page', () => {
  const docs = new CountingStore();
  const goToPage = new GoToPage(docs);

  before(async () => {
    await publish(docs, 'tool-1.0', { 'index.html': 'x', 'guide/install.html': 'x', 'news.html': 'x' });
    await publish(docs, 'tool-2.0', { 'index.html': 'x', 'news.html': 'x' });
    await publish(docs, 'tool-3.0', { 'index.html': 'x', 'news.html': 'x' });
    await publish(docs, 'tool-4.0', { 'index.html': 'x' });
    await publish(
      docs,
      'large-1.0',
      many(2_000, (index) => `${'d'.repeat(60)}/${'p'.repeat(60)}-${index}.html`),
    );
  });

  it('lists the files of a version once for all missing pages, now and later', async () => {
    const suggest = new SuggestInstead(docs, goToPage);
    const missing = await located(docs, 'tool-1.0');
    docs.lists = 0;
    await Promise.all(
      ['/tool-1.0/guide/instal', '/tool-1.0/x'].map((path) => suggest.execute(seenIn(docs), missing, path)),
    );
    const { closest } = await suggest.execute(seenIn(docs), missing, '/tool-1.0/guide/instal');
    assert.deepEqual(
      closest.map(({ to }) => to),
      ['/tool-1.0/guide/install.html'],
    );
    assert.equal(docs.lists, 1);
  });

  it('runs for two requests at a time: a third request gets no suggestions, and the next one gets them again', async () => {
    const suggest = new SuggestInstead(docs, goToPage);
    const missing = await located(docs, 'tool-1.0');
    const path = '/tool-1.0/guide/instal';
    let open = () => {};
    docs.gate = new Promise((resolve) => {
      open = resolve;
    });
    const two = [suggest.execute(seenIn(docs), missing, path), suggest.execute(seenIn(docs), missing, path)];
    assert.deepEqual(await suggest.execute(seenIn(docs), missing, path), {
      projects: [],
      closest: [],
      inOthers: [],
      page: 'guide/instal',
    });
    open();
    for (const { closest } of await Promise.all(two)) assert.equal(closest.length, 1);
    assert.equal((await suggest.execute(seenIn(docs), missing, path)).closest.length, 1);
  });

  it('releases its slot after a failure', async () => {
    const suggest = new SuggestInstead(docs, goToPage);
    const missing = await located(docs, 'tool-1.0');
    docs.gate = Promise.reject(new Error('the disk is gone'));
    for (let round = 0; round < 3; round++) {
      await assert.rejects(suggest.execute(seenIn(docs), missing, '/tool-1.0/a'), /the disk is gone/);
    }
    docs.gate = Promise.resolve();
    assert.equal((await suggest.execute(seenIn(docs), missing, '/tool-1.0/guide/instal')).closest.length, 1);
  });

  it('ends with the results found so far when its time is over', async () => {
    const missing = await located(docs, 'tool-4.0');
    const othersAfter = async (looks: number) => {
      const suggest = new SuggestInstead(docs, goToPage, afterLooks(looks));
      const { inOthers } = await suggest.execute(seenIn(docs), missing, '/tool-4.0/news.html');
      return inOthers.map(({ version }) => version.label);
    };
    assert.deepEqual(await othersAfter(9), ['3.0', '2.0', '1.0']);
    assert.deepEqual(await othersAfter(2), ['3.0', '2.0']);
    assert.deepEqual(await othersAfter(0), []);
  });

  it('checks the names of few more pages after its time, and of few projects', async () => {
    const missing = await located(docs, 'large-1.0');
    const wanted = (index: number) => `/large-1.0/${'d'.repeat(60)}/${'p'.repeat(60)}-${index}x`;
    const closestTo = async (index: number, looks: number) => {
      const suggest = new SuggestInstead(docs, goToPage, afterLooks(looks));
      const { closest } = await suggest.execute(seenIn(docs), missing, wanted(index));
      return closest[0]?.to.endsWith(`p-${index}.html`);
    };
    assert.equal(await closestTo(1, 0), true);
    assert.equal(await closestTo(1_999, 0), false);
    assert.equal(await closestTo(1_999, 99), true);
    const store = new MemoryDocStore();
    for (let index = 100; index < 200; index++)
      await publish(store, `project${index}-1.0`, { 'a.html': 'x' });
    const projectsAfter = async (looks: number) => {
      const suggest = new SuggestInstead(store, new GoToPage(store), afterLooks(looks));
      const { projects } = await suggest.execute(seenIn(store), { what: 'project' }, '/projetc199-2.0/');
      return projects[0]?.directoryName;
    };
    assert.notEqual(await projectsAfter(0), 'project199');
    assert.equal(await projectsAfter(9), 'project199');
  });

  it("takes the name of a missing version for one of its project, however close other projects' names are", async () => {
    const store = new MemoryDocStore();
    for (const name of ['widget-1.0', 'widgew-b.0-1.0']) await publish(store, name, { 'a.html': 'x' });
    const projectsFor = async (path: string) => {
      const suggest = new SuggestInstead(store, new GoToPage(store));
      const { projects } = await suggest.execute(seenIn(store), { what: 'project' }, path);
      return projects.map(({ directoryName }) => directoryName);
    };
    assert.deepEqual(await projectsFor('/widgex-2.0/'), ['widget']);
    assert.deepEqual(await projectsFor('/widgew-b.1/'), ['widgew-b.0', 'widget']);
  });

  it('yields to other requests, however many pages exist', async () => {
    const suggest = new SuggestInstead(docs, goToPage, afterLooks(1_000));
    const missing = await located(docs, 'large-1.0');
    const path = `/large-1.0/${'d'.repeat(60)}/${'p'.repeat(60)}-x.html`;
    const turns = await turnsDuring(suggest.execute(seenIn(docs), missing, path));
    // A turn has 250 files for the list, and 50 for the comparison.
    assert.ok(turns >= 2_000 / 250 + 2_000 / 50, `${turns} turns`);
  });
});

describe('A long chain of redirects', () => {
  it('yields to other requests', async () => {
    const docs = new MemoryDocStore();
    const rules = [
      '/* /n0/:splat',
      ...Array.from({ length: 40 }, (_, at) => `/n${at}/* /n${at + 1}/n/:splat`),
    ];
    await publish(docs, 'evil-1.0', { 'index.html': 'x', _redirects: rules.join('\n') });
    const { project, version } = docs.catalogue().locate('evil-1.0') ?? assert.fail();
    const asked = PageAddress.fromUrl('a') ?? assert.fail();
    const turns = await turnsDuring(new FindPage(docs).moved({ project, version }, asked));
    assert.ok(turns >= 10, `${turns} turns`);
  });
});
