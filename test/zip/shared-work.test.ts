import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SharedWork, type Side, Stopped } from '../../src/adapters/zip/shared-work.js';

/** Items with their sizes, up to more than a batch may hold. */
const someItems = fc.array(fc.integer({ min: 0, max: 1_500_000 }), { maxLength: 200 });
/** Which side asks for its next batch; both go on to their ends after the last of these. */
const someTurns = fc.array(fc.constantFrom<Side>('front', 'back'), { maxLength: 50 });

/** Both sides as two threads have them: objects of their own over the same memory. */
function bothSides(sizes: readonly number[]) {
  const items = sizes.map((size, index) => ({ size, index }));
  const leading = new SharedWork();
  const helping = new SharedWork(leading.memory);
  const sizeOf = ({ size }: { size: number }) => size;
  const sides = {
    front: leading.batches(items, 'front', sizeOf),
    back: helping.batches(items, 'back', sizeOf),
  };
  const done: number[] = [];
  /** @returns whether there was anything left for this side */
  const next = (side: Side): boolean => {
    const { value, done: isEnded } = sides[side].next();
    if (!isEnded) done.push(...(value as typeof items).map(({ index }) => index));
    return !isEnded;
  };
  const toTheEnd = (side: Side) => {
    while (next(side));
  };
  return { leading, helping, next, toTheEnd, done };
}

describe('work that two threads share', () => {
  it('is dealt out whole, each item once, whichever side is faster', () => {
    fc.assert(
      fc.property(someItems, someTurns, (sizes, turns) => {
        const { leading, helping, next, toTheEnd, done } = bothSides(sizes);
        for (const side of turns) next(side);
        toTheEnd('front');
        toTheEnd('back');
        assert.deepEqual(
          done.toSorted((a, b) => a - b),
          sizes.map((_, index) => index),
        );
        assert.ok(leading.isDone && helping.isDone);
      }),
    );
  });

  it('keeps the order of the list within a batch, from the front as from the back', () => {
    const { next, done } = bothSides(Array(100).fill(1));
    next('front');
    next('back');
    assert.deepEqual(done.slice(0, 8), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(done.slice(8), [92, 93, 94, 95, 96, 97, 98, 99]);
  });

  it('has one large item in a batch, so that the other side finds the rest', () => {
    const { next, done } = bothSides([5_000_000, 5_000_000, 5_000_000]);
    next('front');
    next('back');
    assert.deepEqual(done, [0, 2]);
  });

  it('is left to the front side from a very large item on, since the back side must be able to leave', () => {
    const { leading, next, toTheEnd, done } = bothSides([1, 1, 17 * 1024 * 1024, 1]);
    assert.equal(next('back'), true);
    assert.equal(next('back'), false);
    assert.deepEqual(done, [3]);
    toTheEnd('front');
    assert.deepEqual(done, [3, 0, 1, 2]);
    assert.ok(leading.isDone);
  });

  it('is dealt out whole when the back side knows only its end', () => {
    const all = [...Array(100).keys()];
    const leading = new SharedWork();
    const helping = new SharedWork(leading.memory);
    const back = [...helping.batches(all.slice(-40), 'back', () => 1, all.length)].flat();
    assert.equal(leading.isDone, true);
    const front = [...leading.batches(all, 'front', () => 1)].flat();
    assert.deepEqual(
      back.toSorted((a, b) => a - b),
      all.slice(-40),
    );
    assert.deepEqual(front, all.slice(0, -40));
  });

  it('tells who is in the midst of something that it was stopped', () => {
    const { leading, helping } = bothSides([1, 1]);
    helping.assertGoesOn();
    leading.stop();
    assert.throws(() => helping.assertGoesOn(), Stopped);
  });

  it('is not done while a batch that was taken is not', () => {
    const { leading, next, toTheEnd } = bothSides(Array(100).fill(1));
    next('back');
    toTheEnd('front');
    assert.equal(leading.isDone, false);
    toTheEnd('back');
    assert.equal(leading.isDone, true);
  });

  it('ends for both once it is stopped, and is not done then', () => {
    fc.assert(
      fc.property(someItems, someTurns, (sizes, turns) => {
        const { leading, helping, next, done } = bothSides(sizes);
        for (const side of turns) next(side);
        const before = done.length;
        helping.stop();
        assert.equal(next('front'), false);
        assert.equal(next('back'), false);
        assert.equal(done.length, before);
        assert.equal(leading.isDone, false);
      }),
    );
  });

  it('is done by the front side alone once the back side was asked to leave', () => {
    const { leading, next, toTheEnd, done } = bothSides(Array(200).fill(1));
    next('back');
    leading.leaveToFront();
    assert.equal(next('back'), false);
    toTheEnd('front');
    assert.equal(done.length, 200);
    assert.ok(leading.isDone);
  });
});
