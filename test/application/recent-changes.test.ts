import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Catalogues, RecentChanges, type Removal } from '../../src/application/index.js';
import { ANYBODY, Catalogue } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

describe('Recent changes', () => {
  const time = new Date(Date.UTC(2026, 0, 1));
  const version = makeVersion('a', '1.0', { publishedAt: time });
  const catalogue = Catalogue.empty.changed({ come: [version] });
  const removal = (more: Partial<Removal> = {}): Removal => ({
    ...{ version: { ...version, revision: 'earlier' }, removedAt: time, isReplaced: true },
    ...{ expiresAt: new Date(Date.UTC(2026, 1, 1)), ...more },
  });
  /** The kinds of all changes, over a store with these removals; each question to it is counted. */
  function over(removals: () => Promise<readonly Removal[]>) {
    const counts = { asked: 0, made: 0 };
    const docs = {
      catalogue: () => catalogue,
      removals: () => {
        counts.asked += 1;
        return removals();
      },
    } as unknown as Catalogues;
    const changes = new RecentChanges(docs, counts);
    const kinds = async () =>
      (await changes.execute(catalogue.seenBy(ANYBODY, time), ANYBODY)).map(({ kind }) => kind);
    return { counts, kinds };
  }

  it('query the store once for concurrent requests, and again after an own change', async () => {
    let answer: (removals: readonly Removal[]) => void = () => {};
    const { counts, kinds } = over(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    const asked = [kinds(), kinds()];
    answer([removal()]);
    assert.deepEqual(await Promise.all(asked), [['replaced'], ['replaced']]);
    await kinds();
    assert.equal(counts.asked, 1);
    counts.made += 1;
    const later = kinds();
    answer([]);
    assert.deepEqual(await later, ['published']);
    assert.equal(counts.asked, 2);
  });

  it('ask nothing for what is published alone', () => {
    const docs = { catalogue: () => catalogue, removals: () => assert.fail() } as unknown as Catalogues;
    const changes = new RecentChanges(docs, { made: 0 });
    const published = changes.published(catalogue.seenBy(ANYBODY, time));
    assert.deepEqual(
      published.map((change) => [change.version.directoryName, change.project?.directoryName, change.time]),
      [['a-1.0', 'a', time]],
    );
  });

  it('query the store again after a failed request', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve([])];
    const { kinds } = over(() => answers.shift() ?? assert.fail());
    await assert.rejects(kinds(), /away/);
    assert.deepEqual(await kinds(), ['published']);
  });

  it("list no replacement for a crash's leftovers of a version still published", async () => {
    const { kinds } = over(async () => [removal({ version })]);
    assert.deepEqual(await kinds(), ['published']);
  });
});
