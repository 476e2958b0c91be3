import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FairLimit, KeyedMutex, SharedWork } from '../../src/application/index.js';
import { refuse } from '../../src/domain/index.js';

describe('Work that is queued by key', () => {
  it('runs sequentially for one key, also after a failure, and returns its own result', async () => {
    const mutex = new KeyedMutex();
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} begins`);
      await new Promise(setImmediate);
      steps.push(`${name} ends`);
      if (name === 'first') throw new Error(name);
      return name;
    };
    const results = await Promise.allSettled([
      mutex.run('a', work('first')),
      mutex.run('a', work('second')),
      mutex.run('a', work('third')),
    ]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
      ['first', 'second', 'third'],
    );
    assert.deepEqual(
      steps,
      ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('runs concurrently for different keys, and in turn for equal keys of different names', async () => {
    const mutex = new KeyedMutex((name) => name.toLowerCase());
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(name);
      await new Promise(setImmediate);
      steps.push(name);
    };
    await Promise.all(['a', 'A', 'b'].map((name) => mutex.run(name, work(name))));
    assert.deepEqual(steps, ['a', 'b', 'a', 'A', 'b', 'A']);
  });
});

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

describe('Shared work', () => {
  it('runs once for all concurrent callers, and continues when one of them leaves', async () => {
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

  it('is told when its last caller leaves, and restarts for the next caller', async () => {
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

  it('fails for all waiting callers, and restarts afterwards', async () => {
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

/** Work that ends when it is told to. */
class Work {
  private readonly begun: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly limit: FairLimit) {}

  run(name: string, address: string, signal?: AbortSignal): Promise<string> {
    const work = () =>
      new Promise<string>((resolve) => {
        this.begun.push(name);
        this.ends.set(name, () => resolve(name));
      });
    return this.limit.run(work, { address, signal });
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Names of what has begun since the last call. */
  get newly(): readonly string[] {
    return this.begun.splice(0);
  }
}

const workOf = (running: number, waiting: number) =>
  new Work(new FairLimit({ running, waiting, refusal: refuse.comparisonBusy }));

describe('A fair limit', () => {
  it('leaves a slot to other addresses, and lets waiting callers take turns', async () => {
    const work = workOf(2, 9);
    const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => work.run(name, name.charAt(0)));
    assert.deepEqual(work.newly, ['a1', 'b1']);
    await work.end('a1');
    assert.deepEqual(work.newly, ['a2']);
    await work.end('b1');
    await work.end('a2');
    assert.deepEqual(work.newly, ['b2', 'a3']);
    await work.end('b2');
    await work.end('a3');
    assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'b1', 'b2']);
  });

  it('refuses the address with the most waiting calls, and starts no refused call', async () => {
    const work = workOf(1, 2);
    const running = work.run('a1', 'a');
    const waiting = work.run('a2', 'a');
    const last = assert.rejects(work.run('a3', 'a'), refuse.comparisonBusy());
    await assert.rejects(work.run('a4', 'a'), refuse.comparisonBusy());
    const other = work.run('b1', 'b');
    await last;
    for (const name of ['a1', 'a2', 'b1']) await work.end(name);
    assert.deepEqual(await Promise.all([running, waiting, other]), ['a1', 'a2', 'b1']);
    assert.deepEqual(work.newly, ['a1', 'a2', 'b1']);
  });

  it('removes a client that leaves from the queue', async () => {
    const work = workOf(1, 1);
    const running = work.run('a1', 'a');
    const leaving = new AbortController();
    const left = assert.rejects(work.run('b1', 'b', leaving.signal), /has left/);
    leaving.abort(new Error('has left'));
    await left;
    const next = work.run('c1', 'c');
    await work.end('a1');
    await work.end('c1');
    assert.deepEqual(await Promise.all([running, next]), ['a1', 'c1']);
    await assert.rejects(work.run('d1', 'd', leaving.signal), /has left/);
    assert.deepEqual(work.newly, ['a1', 'c1']);
  });

  it('passes the slot on when work fails', async () => {
    const limit = new FairLimit({ running: 1, waiting: 1, refusal: refuse.comparisonBusy });
    const fails = limit.run(async () => {
      throw new Error('failed');
    });
    const next = limit.run(async () => 'done');
    await assert.rejects(fails, /failed/);
    assert.equal(await next, 'done');
  });
});
