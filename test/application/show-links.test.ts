import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { type DeadLink, KnownLinks, ShowLinks } from '../../src/application/index.js';
import { Catalogue, refuse } from '../../src/domain/index.js';
import { publish } from '../contracts/doc-store.js';
import { makeVersion } from '../domain/make-version.js';
import { seenIn } from '../support/seen-in.js';

const SITE = { 'index.html': 'front' };
const seen = seenIn({ catalogue: () => Catalogue.of([makeVersion('a', '1.0')]) });

describe('ShowLinks', () => {
  it('proposes a `_redirects` rule for a missing page, and an address for each closest page', async () => {
    const shown = async (link: Omit<DeadLink, 'link'>) => {
      const page = { path: 'index.html', links: [{ link: link.target, ...link }] };
      const report = { pages: 1, links: 1, dead: 1, isCut: false, byPage: [page] };
      const show = new ShowLinks({ of: async () => report });
      const { byPage, redirects } = await show.execute(seen, { project: 'a', label: '1.0' });
      const { leadsTo, redirect } = byPage[0]?.links[0] ?? assert.fail();
      assert.deepEqual(redirects, redirect === undefined ? [] : [redirect]);
      return [leadsTo, redirect];
    };
    const page = { missing: 'page' as const, closest: 'guide/new é/index.html' };
    const there = 'guide/new%20%C3%A9/';
    assert.deepEqual(await shown({ target: 'old page.html', ...page }), [
      there,
      `/old%20page.html /${there} 301`,
    ]);
    assert.deepEqual(await shown({ target: 'old/', ...page }), [there, `/old/ /${there} 301`]);
    assert.deepEqual(await shown({ target: 'a:b.html', ...page }), [there, undefined]);
    const anchor = { target: 'a b.html#x', missing: 'anchor' as const };
    assert.deepEqual(await shown({ ...anchor, closest: 'x y' }), ['a%20b.html#x%20y', undefined]);
    assert.deepEqual(await shown(anchor), [undefined, undefined]);
  });
});

describe('KnownLinks', () => {
  it('sums the known links of latest versions, also after a start, and forgets removed versions', async () => {
    const docs = new MemoryDocStore();
    for (const name of ['a-1.0', 'b-1.0', 'b-2.0', 'c-1.0']) await publish(docs, name, SITE);
    const known = new KnownLinks(docs);
    const { projects } = seenIn(docs);
    assert.equal(await known.ofAllLatest(projects), 0);
    const [a = assert.fail(), b = assert.fail()] = projects;
    await known.note(a.latest, { dead: 3 });
    await known.note(b.latest, { dead: 4 });
    for (const version of b.versions.slice(0, 1)) await known.note(version, { dead: 100 });
    for (const each of [known, new KnownLinks(docs)]) {
      assert.equal(await each.ofAllLatest(projects), 7);
      assert.deepEqual(await Promise.all(projects.map((project) => each.ofLatest(project))), [
        3,
        4,
        undefined,
      ]);
    }
    await publish(docs, 'a-1.0', SITE, { replace: true });
    assert.equal(await known.ofAllLatest(seenIn(docs).projects), 4);
  });

  it('learns within an hour that another server has checked a version', async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'a-1.0', SITE);
    const [a = assert.fail()] = seenIn(docs).projects;
    let now = 0;
    const known = new KnownLinks(docs, () => now);
    assert.equal(await known.ofLatest(a), undefined);
    await new KnownLinks(docs).note(a.latest, { dead: 3 });
    assert.equal(await known.ofLatest(a), undefined, 'the store is not asked each time');
    now = 3_600_000;
    assert.equal(await known.ofLatest(a), 3);
  });

  it('knows nothing while the store is unreachable, and catches up afterwards', async () => {
    const docs = new MemoryDocStore();
    await publish(docs, 'a-1.0', SITE);
    const [a = assert.fail()] = seenIn(docs).projects;
    await new KnownLinks(docs).note(a.latest, { dead: 3 });
    let isAway = true;
    const known = new KnownLinks({
      derived: {
        open: async (...file) => {
          if (isAway) throw refuse.comparisonBusy();
          return docs.derived.open(...file);
        },
        write: async () => {},
      },
    });
    assert.equal(await known.ofLatest(a), undefined);
    isAway = false;
    assert.equal(await known.ofLatest(a), 3);
  });
});
