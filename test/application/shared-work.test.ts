import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SharedWork } from '../../src/application/index.js';

/** Work that is ended from outside, and counts how often it began. */
function heldWork() {
  const held = { begun: 0, signal: undefined as AbortSignal | undefined, end: (_: string) => {} };
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      held.begun += 1;
      held.signal = signal;
      held.end = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return { held, work };
}

describe('shared work', () => {
  it('runs once for all who ask meanwhile, and goes on when one of them leaves', async () => {
    const shared = new SharedWork<string>();
    const { held, work } = heldWork();
    const leaving = new AbortController();
    const left = assert.rejects(shared.of('a', leaving.signal, work), /has left/);
    const stays = shared.of('a', undefined, work);
    leaving.abort(new Error('has left'));
    await left;
    assert.equal(held.signal?.aborted, false);
    held.end('done');
    assert.equal(await stays, 'done');
    assert.equal(held.begun, 1);
  });

  it('is told when nobody waits any more, and begins anew for the next one', async () => {
    const shared = new SharedWork<string>();
    const { held, work } = heldWork();
    const leaving = new AbortController();
    const left = assert.rejects(shared.of('a', leaving.signal, work), /has left/);
    leaving.abort(new Error('has left'));
    const next = shared.of('a', undefined, work);
    await left;
    held.end('done');
    assert.equal(await next, 'done');
    assert.equal(held.begun, 2);
  });

  it('fails for all who wait, and begins anew after that', async () => {
    const shared = new SharedWork<string>();
    let begun = 0;
    const work = async () => {
      begun += 1;
      throw new Error('failed');
    };
    const both = [shared.of('a', undefined, work), shared.of('a', undefined, work)];
    for (const each of both) await assert.rejects(each, /failed/);
    assert.equal(begun, 1);
    await assert.rejects(shared.of('a', undefined, work), /failed/);
    assert.equal(begun, 2);
  });
});
