import '../support/long-runs.js';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from '../../src/domain/index.js';

/** Adds items that are named by their key and a number. */
function lineOf(...items: readonly string[]): FairQueue<string> {
  const line = new FairQueue<string>();
  for (const item of items) line.add(item.charAt(0), item);
  return line;
}

function allOf(line: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = line.next(); item !== undefined; item = line.next()) items.push(item);
  return items;
}

const KEYS = ['a', 'b', 'c', 'd'];
/** Events of a queue: an item of a key is added, the next one is taken, or an added one is removed. */
const events = fc.array(
  fc.oneof(
    fc.record({ add: fc.constantFrom(...KEYS) }),
    fc.constant({ next: true }),
    fc.record({ remove: fc.nat(30) }),
  ),
  { maxLength: 60 },
);

describe('A fair queue', () => {
  it('lets keys take turns, however many items one of them has', () => {
    assert.deepEqual(allOf(lineOf('a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'c2')), [
      ...['a1', 'b1', 'c1'],
      ...['a2', 'c2'],
      ...['a3', 'a4'],
    ]);
  });

  it('puts a served key behind the waiting keys', () => {
    const line = lineOf('a1', 'b1');
    assert.equal(line.next(), 'a1');
    line.add('a', 'a2');
    line.add('c', 'c1');
    assert.deepEqual(allOf(line), ['b1', 'a2', 'c1']);
  });

  it('returns the number of items of a key', () => {
    const line = lineOf('a1', 'b1', 'b2', 'c1');
    assert.deepEqual(
      ['a', 'b', 'x'].map((key) => line.sizeOf(key)),
      [1, 2, 0],
    );
    assert.equal(line.size, 4);
  });

  it('makes room by removing the last item of the longest key', () => {
    const line = lineOf('a1', 'b1', 'b2', 'b3');
    assert.equal(line.makeRoomFor('c'), 'b3');
    assert.equal(line.makeRoomFor('a'), undefined);
    assert.equal(line.makeRoomFor('b'), undefined);
    assert.deepEqual(allOf(line), ['a1', 'b1', 'b2']);
    assert.equal(new FairQueue().makeRoomFor('a'), undefined);
  });

  it('skips a key whose first item may not go yet, and keeps its turn', () => {
    const line = lineOf('a1', 'a2', 'b1', 'c1');
    const isNotOfA = (item: string) => !item.startsWith('a');
    assert.equal(line.next(isNotOfA), 'b1');
    assert.equal(line.next(), 'a1');
    assert.equal(line.next(isNotOfA), 'c1');
    assert.equal(line.next(isNotOfA), undefined);
    assert.equal(line.size, 1);
    assert.deepEqual(allOf(line), ['a2']);
  });

  it('gives no turn to a key whose only item was removed, and counts the remaining items', () => {
    const line = lineOf('a1', 'b1', 'b2', 'c1');
    assert.equal(line.remove('a1'), true);
    assert.equal(line.remove('b2'), true);
    assert.equal(line.remove('b2'), false);
    assert.equal(line.size, 2);
    assert.deepEqual(allOf(line), ['b1', 'c1']);
    assert.equal(line.size, 0);
  });

  it('keeps the position of an item that is added again', () => {
    const line = lineOf('a1', 'a2');
    line.add('a', 'a1');
    assert.equal(line.size, 2);
    assert.deepEqual(allOf(line), ['a1', 'a2']);
  });

  it('never delays an item by two later ones of another key, and neither loses nor repeats one', () => {
    fc.assert(
      fc.property(events, (happens) => {
        const line = new FairQueue<string>();
        /** Items that wait, oldest first, with the later ones of other keys that came before them. */
        const waiting = new Map<string, string[]>();
        let added = 0;
        for (const event of happens) {
          if ('add' in event) {
            added += 1;
            const item = `${event.add}${added}`;
            line.add(event.add, item);
            waiting.set(item, []);
          } else if ('remove' in event) {
            const item = [...waiting.keys()][event.remove] ?? 'nobody';
            assert.equal(line.remove(item), waiting.delete(item));
          } else {
            const item = line.next();
            const [oldest] = [...waiting.keys()].filter((each) => each.charAt(0) === item?.charAt(0));
            assert.equal(item, oldest, 'the oldest item of its key');
            if (item === undefined) assert.equal(waiting.size, 0);
            else waiting.delete(item);
            const firsts = new Map([...waiting].reverse().map((each) => [each[0].charAt(0), each[1]]));
            for (const [key, passed] of firsts) {
              if (item === undefined || key === item.charAt(0)) continue;
              assert.ok(!passed.includes(item.charAt(0)), `${key} waits for ${item} after ${passed}`);
              passed.push(item.charAt(0));
            }
          }
          assert.equal(line.size, waiting.size);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
