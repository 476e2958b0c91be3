import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { MemoryDocStore } from '../../src/adapters/memory/index.js';
import { ApplyRetention, Changes, ExpirePreviews } from '../../src/application/index.js';
import { clearingChore, ExpiringTokens, previewsChore } from '../../src/composition/chores.js';
import type { Chore } from '../../src/composition/housekeeping.js';
import { retention } from '../../src/composition/retention.js';
import { type RetentionRules, tokenActor } from '../../src/domain/index.js';
import { idOf, publish } from '../contracts/doc-store.js';

const DAY = 24 * 3_600_000;
const SITE = { 'index.html': 'x' };
const NOW = new Date();
const LATER = new Date(NOW.getTime() + 3 * 365 * DAY);

describe('The limit of automatic removals', () => {
  let docs: MemoryDocStore;
  const lines: { readonly level: string; readonly message: string; readonly fields: object }[] = [];
  beforeEach(() => {
    docs = new MemoryDocStore(undefined, 7 * DAY);
    lines.length = 0;
  });

  const choresWith = (rules: RetentionRules = {}, clearing: Pick<MemoryDocStore, 'clearUp'> = docs) => {
    const to = (level: string) => (fields: object, message: string) =>
      void lines.push({ level, fields, message });
    const useCases = {
      expirePreviews: new ExpirePreviews(docs, new Changes(docs)),
      applyRetention: new ApplyRetention(docs, new Changes(docs), rules),
    };
    const parts = {
      useCases: { ...useCases, countReads: undefined },
      docs: clearing,
      log: { info: to('info'), warn: to('warn') },
      prune: 'lectern prune -d docs',
      mayRemove: true,
    };
    return [previewsChore(parts), ...retention.chores(parts), clearingChore(parts)];
  };
  const waitingIn = (chores: readonly Chore[]) =>
    chores.reduce((sum, { waiting }) => sum + (waiting?.() ?? 0), 0);
  const round = async (chores: readonly Chore[], now = LATER) => {
    for (const chore of chores) await chore.run(now, new AbortController().signal);
  };
  const warnings = () => lines.filter(({ level }) => level === 'warn');
  const labels = () => Array.from(docs.catalogue().all(), ({ label }) => label);

  it('is a quarter of the previews when all have expired at once, the oldest ends first, and the rest waits for a day', async () => {
    for (let index = 0; index < 60; index++) {
      const expiresAt = new Date(NOW.getTime() + (60 - index) * DAY);
      await publish(docs, `a~pr-${index}`, SITE, { expiresAt });
    }
    const chores = choresWith();
    await round(chores);
    const left = labels();
    assert.equal(left.length, 45);
    assert.ok(!left.some((label) => Number(label.slice(3)) >= 45), String(left));
    assert.equal(waitingIn(chores), 45);
    assert.deepEqual(warnings(), [
      {
        level: 'warn',
        fields: { waiting: 45 },
        message:
          'too many expired previews are due at once: the rest waits for a day. If the clock is right, `lectern prune -d docs` removes them at once',
      },
    ]);
    await round(chores);
    assert.equal(labels().length, 45);
    assert.equal(warnings().length, 1);
  });

  it('admits all expired previews when they are few', async () => {
    for (let index = 0; index < 10; index++) {
      await publish(docs, `a~pr-${index}`, SITE, { expiresAt: new Date(NOW.getTime() - 1) });
    }
    const chores = choresWith();
    await round(chores, NOW);
    assert.deepEqual([labels(), waitingIn(chores), warnings()], [[], 0, []]);
    assert.equal((await docs.removed()).length, 10);
  });

  it('is a quarter of the versions for rules with days, and all versions for rules without', async () => {
    const publishedAt = new Date(NOW.getTime() - DAY);
    for (let minor = 0; minor < 44; minor++) await publish(docs, `a-1.${minor}.0`, SITE, { publishedAt });
    const chores = choresWith({ maxAgeDays: 365, keepPerMinor: 1 }, { clearUp: async () => 0 });
    await round(chores, NOW);
    assert.equal(labels().length, 44);
    await round(chores);
    assert.equal(labels().length, 33);
    assert.equal(waitingIn(chores), 32);
    await publish(docs, 'a-1.43.1', SITE, { publishedAt: LATER });
    await round(chores);
    assert.equal(labels().length, 33);
    assert.ok(!labels().includes('1.43.0'));
    assert.match(warnings()[0]?.message ?? '', /^too many versions by rules with days are due at once/);
    assert.equal(warnings().length, 1);
  });

  it('is a quarter of the kept versions, and the log names the waiting number', async () => {
    for (let index = 0; index < 20; index++) {
      await publish(docs, `a-1.${index}`, SITE);
      await docs.remove(idOf(`a-1.${index}`));
    }
    const chores = choresWith();
    await round(chores);
    assert.equal((await docs.removed()).length, 10);
    assert.equal(waitingIn(chores), 10);
    await round(chores);
    assert.equal((await docs.removed()).length, 10);
    assert.deepEqual(
      warnings().map(({ fields }) => fields),
      [{ waiting: 10 }],
    );
  });

  it('leaves only rules without days when there is no clock', async () => {
    const publishedAt = new Date(0);
    for (const label of ['1.0.0', '1.0.1', '1.1.0', '2.0.0']) {
      await publish(docs, `a-${label}`, SITE, { publishedAt });
    }
    await publish(docs, 'a~pr-1', SITE, { expiresAt: new Date(1) });
    const chores = choresWith({ maxAgeDays: 1, keepPerMinor: 1 });
    for (const chore of chores) await chore.runWithoutClock?.(new AbortController().signal);
    assert.deepEqual(labels().sort(), ['1.0.1', '1.1.0', '2.0.0', 'pr-1']);
  });
});

it('names a token once when it has 14 days left, and once when it has expired', () => {
  const said: unknown[] = [];
  let now = new Date('2027-06-15T23:59:59Z');
  const tokens = {
    holders: () => [
      tokenActor('lasting'),
      tokenActor('ci', { expiresAt: new Date('2027-06-30T00:00:00Z') }),
      tokenActor('later', { expiresAt: new Date('2028-06-30T00:00:00Z') }),
    ],
  };
  const expiring = new ExpiringTokens(
    tokens,
    (fields, message) => said.push([message, fields]),
    () => now,
  );
  try {
    assert.deepEqual([said, expiring.counts], [[], { soon: 0, expired: 0 }]);
    const fields = { token: 'ci', expires: '2027-06-30T00:00:00.000Z' };
    for (const [time, expected, counts] of [
      ['2027-06-16T00:00:00Z', [['a token expires soon', fields]], { soon: 1, expired: 0 }],
      ['2027-06-29T23:59:59Z', [], { soon: 1, expired: 0 }],
      ['2027-06-30T00:00:00Z', [['a token has expired', fields]], { soon: 0, expired: 1 }],
      ['2027-07-30T00:00:00Z', [], { soon: 0, expired: 1 }],
    ] as const) {
      now = new Date(time);
      expiring.look();
      assert.deepEqual([said.splice(0), expiring.counts], [expected, counts], time);
    }
  } finally {
    expiring.close();
  }
});
