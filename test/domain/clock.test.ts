import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { judgeByLastRound, judgeByStore, maxInRound } from '../../src/domain/index.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 1);

const time = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) });
const uptime = fc.integer({ min: 0, max: 400 * DAY });

describe("A clock compared with an object store's", () => {
  it('is trusted up to 15 minutes off, ahead or behind, and doubted from there on', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: -1_200 * DAY, max: 1_200 * DAY }), (store, off) => {
        const { kind } = judgeByStore(new Date(store + off), store);
        assert.equal(kind, Math.abs(off) <= 15 * MINUTE ? 'believed' : 'doubtful');
      }),
    );
    for (const off of [-15 * MINUTE, 0, 15 * MINUTE]) {
      assert.equal(judgeByStore(new Date(START + off), START).kind, 'believed');
      const further = START + off + Math.sign(off || 1) * (off === 0 ? HOUR : 1);
      assert.equal(judgeByStore(new Date(further), START).kind, 'doubtful');
    }
  });

  it('reports both times when doubted', () => {
    assert.deepEqual(judgeByStore(new Date(START + DAY), START), {
      kind: 'doubtful',
      why: 'it shows 2026-01-02T00:00:00.000Z, but the object store 2026-01-01T00:00:00.000Z',
    });
  });
});

describe('A clock compared with the last round of housekeeping', () => {
  const judge = (gap: number, uptimeMs: number | undefined) =>
    judgeByLastRound(new Date(START), new Date(START + gap), uptimeMs).kind;

  it('is trusted for three days after the round, and a minute before it', () => {
    for (const uptimeMs of [undefined, 0, HOUR, 400 * DAY]) {
      for (const gap of [-MINUTE, 0, DAY, 3 * DAY]) assert.equal(judge(gap, uptimeMs), 'believed');
      assert.equal(judge(-MINUTE - 1, uptimeMs), 'doubtful');
    }
  });

  it('is trusted later only with an hour of uptime', () => {
    for (const gap of [3 * DAY + 1, 365 * DAY]) {
      for (const uptimeMs of [undefined, 0, HOUR - 1]) assert.equal(judge(gap, uptimeMs), 'doubtful');
      assert.equal(judge(gap, HOUR), 'believed');
    }
  });

  it('is trusted without a round after an hour, and in a command at once', () => {
    fc.assert(
      fc.property(time, uptime, (now, uptimeMs) => {
        const { kind } = judgeByLastRound(undefined, new Date(now), uptimeMs);
        assert.equal(kind, uptimeMs >= HOUR ? 'believed' : 'unproven');
      }),
    );
    assert.equal(judgeByLastRound(undefined, new Date(START), undefined).kind, 'believed');
  });

  it('is never trusted in the first hour when further ahead than three days, and never when behind', () => {
    fc.assert(
      fc.property(time, time, uptime, (last, now, uptimeMs) => {
        const { kind } = judgeByLastRound(new Date(last), new Date(now), uptimeMs);
        if (now < last - MINUTE || (now > last + 3 * DAY && uptimeMs < HOUR)) assert.equal(kind, 'doubtful');
        else assert.equal(kind, 'believed');
      }),
    );
  });
});

describe('The number of removals in one round', () => {
  it('is a quarter of all things, at least ten', () => {
    assert.deepEqual([0, 1, 10, 40, 41, 1_000].map(maxInRound), [10, 10, 10, 10, 11, 250]);
  });

  it('leaves more than half of a thousand things for the first two days, and some for more than a week', () => {
    let left = 1_000;
    const days = Array.from({ length: 8 }, () => {
      left -= maxInRound(left);
      return left;
    });
    assert.ok((days[1] ?? 0) > 500, String(days));
    assert.ok((days[7] ?? 0) > 0, String(days));
  });
});
