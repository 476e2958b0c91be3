import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { MIN_CLIENTS, type Searcher, sumOfSearches, UnfoundSearches } from '../../src/domain/index.js';

const DAY = 86_400_000;
const START = Date.parse('2026-03-04T23:00:00Z');
const clients = (count: number, from = 0) =>
  Array.from({ length: count }, (_, number) => `192.0.2.${from + number}`);

describe('Searches that found nothing', () => {
  /** Texts that were digested, by the searches that a test makes. */
  const make = () => {
    const digested: string[] = [];
    const searches = new UnfoundSearches((text) => {
      digested.push(text);
      return createHmac('sha256', 'key').update(text).digest('base64url');
    });
    const note = (query: string, by: readonly string[], day = 0, who: Searcher = 'people') => {
      for (const client of by) searches.note(who, query, client, new Date(START + day * DAY));
    };
    const taken = () => searches.takeChanged().map(({ day, searches }) => ({ day, searches }));
    return { searches, note, taken, digested };
  };

  it('are stored as texts once enough clients have searched for the same, in any spelling', () => {
    const { note, taken } = make();
    note('Cross  compile', clients(MIN_CLIENTS - 1));
    note('cross compile', clients(MIN_CLIENTS - 1));
    assert.deepEqual(taken(), []);
    note('CROSS\ncompile', clients(1, 100));
    note('cross compile', clients(2, 200));
    assert.deepEqual(taken(), [
      { day: '2026-03-04', searches: [{ query: 'CROSS compile', by: 'people', clients: 7 }] },
    ]);
    assert.deepEqual(taken(), []);
  });

  it('are in memory as digests only until enough clients have searched', () => {
    const { searches, note } = make();
    note('hunter2', clients(MIN_CLIENTS - 1));
    const holds = (value: unknown, seen = new Set<unknown>()): boolean => {
      if (typeof value === 'string') return /hunter2|192\.0\.2/i.test(value);
      if (typeof value !== 'object' || value === null || seen.has(value)) return false;
      seen.add(value);
      const parts =
        value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
      return parts.some((part) => holds(part, seen));
    };
    assert.equal(holds(searches), false);
    note('hunter2', clients(1, 100));
    assert.equal(holds(searches), true);
  });

  it('have digests that cannot link two searches of a client', () => {
    const { note, digested } = make();
    note('one', ['192.0.2.1']);
    note('two', ['192.0.2.1']);
    const ofClient = digested.filter((text) => text.endsWith('\n192.0.2.1'));
    assert.equal(new Set(ofClient).size, 2);
    assert.ok(digested.every((text) => text !== '192.0.2.1'));
  });

  it('count each client once in two days, and people apart from agents', () => {
    const { note, taken } = make();
    note('x', clients(4));
    note('x', clients(4), 0, 'agents');
    assert.deepEqual(taken(), []);
    note('x', clients(4), 1);
    note('x', clients(1, 50), 1);
    note('x', clients(2, 60), 1);
    assert.deepEqual(taken(), [{ day: '2026-03-05', searches: [{ query: 'x', by: 'people', clients: 7 }] }]);
    note('x', clients(1, 70), 2);
    assert.deepEqual(taken(), []);
  });

  it("add to the previous day's clients when these were already enough", () => {
    const { note, taken } = make();
    note('x', clients(6));
    note('x', clients(3, 4), 1);
    const [first, second] = taken();
    assert.deepEqual([first?.searches[0]?.clients, second?.searches[0]?.clients], [6, 1]);
  });

  it('are forgotten with all digests two days later', () => {
    const { note, taken, searches } = make();
    note('x', clients(4));
    searches.forgetOld(new Date(START + 2 * DAY));
    note('x', clients(1, 50), 2);
    assert.deepEqual(taken(), []);
  });

  it('are cut to 80 characters, without control characters, and dropped when empty', () => {
    const { note, taken } = make();
    note(`${'ü'.repeat(90)}\u0000`, clients(5));
    note(' \u0007 ', clients(5));
    assert.deepEqual(
      taken()[0]?.searches.map(({ query }) => query),
      ['ü'.repeat(80)],
    );
  });

  it('are bounded: strangers displace other searches, and fill no memory', () => {
    const { note, taken } = make();
    note('rare', clients(4));
    for (let number = 0; number < 10_010; number += 1) note(`noise ${number}`, ['192.0.2.9']);
    note('rare', clients(1, 100));
    assert.deepEqual(taken(), []);
    for (let number = 0; number < 1_010; number += 1) note(`text ${number}`, clients(5));
    assert.equal(taken()[0]?.searches.length, 1_000);
  });

  it('are marked as changed again after a failed save', () => {
    const { searches, note, taken } = make();
    note('x', clients(5));
    for (const { undo } of searches.takeChanged()) undo();
    assert.equal(taken().length, 1);
  });

  it('are summed over days and servers, most clients first', () => {
    const days = [
      { day: '2026-03-04', searches: [{ query: 'A b', by: 'people', clients: 5 }] },
      {
        day: '2026-03-05',
        searches: [
          { query: 'a B', by: 'people', clients: 6 },
          { query: 'z', by: 'people', clients: 12 },
          { query: 'few', by: 'people', clients: 5 },
          { query: 'a b', by: 'agents', clients: 9 },
        ],
      },
    ] as const;
    assert.deepEqual(sumOfSearches(days, 2), {
      people: [
        { query: 'z', clients: 12 },
        { query: 'A b', clients: 11 },
      ],
      agents: [{ query: 'a b', clients: 9 }],
    });
  });
});
