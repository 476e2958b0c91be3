import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { BroadcastChannel, Worker } from 'node:worker_threads';
import { Refusal, refuse } from '../../src/domain/index.js';
import { nodeOptions, programBeside } from '../../src/node/background/program.js';
import { ThreadPool, type ThreadPoolOptions } from '../../src/node/background/thread-pool.js';
import { until } from '../support/until.js';
import type { StartData } from './failing-program.js';

type Jobs = typeof import('./pool-jobs.js');

const opened: ThreadPool<Jobs>[] = [];
/** After each test, since some tests count the threads that end. */
const closeAll = () => Promise.all(opened.splice(0).map((pool) => pool.close()));

function poolOf(options: Partial<ThreadPoolOptions> = {}): ThreadPool<Jobs> {
  const program = programBeside(import.meta.url, './pool-jobs');
  const pool = new ThreadPool<Jobs>({
    ...{ program, maxThreads: 1, idleMs: 30_000, resourceLimits: {} },
    ...options,
  });
  opened.push(pool);
  return pool;
}

/** Numbers that a test shares with its threads. */
const boardOf = (places: number) => new Int32Array(new SharedArrayBuffer(4 * places));
const begun = (board: Int32Array, place: number) => until(() => Atomics.load(board, place) === 1);
function release(board: Int32Array, place: number): void {
  Atomics.store(board, place, 2);
  Atomics.notify(board, place);
}

/** A pool of which some threads start, and the next ones fail to. */
function failingPool(fails: StartData['fails'], starts = 0): ThreadPool<Jobs> {
  const workerData: StartData = { fails, starts: boardOf(1).fill(starts) };
  return poolOf({ program: programBeside(import.meta.url, './failing-program'), maxThreads: 2, workerData });
}

describe('A pool of threads', () => {
  afterEach(closeAll);

  it('runs as many jobs at once as it has threads, and queues the rest', async () => {
    const pool = poolOf({ maxThreads: 2 });
    const board = boardOf(3);
    const jobs = [0, 1, 2].map((place) => pool.run('held', { board, place }));
    await Promise.all([begun(board, 0), begun(board, 1)]);
    assert.equal(Atomics.load(board, 2), 0);
    release(board, 1);
    await begun(board, 2);
    release(board, 0);
    release(board, 2);
    assert.deepEqual(await Promise.all(jobs), [0, 1, 2]);
  });

  it('lets addresses take turns for a thread', async () => {
    const pool = poolOf();
    const order: string[] = [];
    const from = (address: string) => pool.run('echo', address, { address }).then((text) => order.push(text));
    await Promise.all(['a', 'a', 'a', 'b', 'c', 'b'].map(from));
    assert.deepEqual(order, ['a', 'a', 'b', 'c', 'a', 'b']);
  });

  it('refuses a job when the queue is full, and accepts it when a job is done', async () => {
    const pool = poolOf({ limit: { jobs: 2, refusal: refuse.searchBusy } });
    const board = boardOf(1);
    const held = pool.run('held', { board, place: 0 });
    const waits = pool.run('echo', 'waits');
    await assert.rejects(pool.run('echo', 'too much'), refuse.searchBusy());
    await begun(board, 0);
    release(board, 0);
    assert.deepEqual(await Promise.all([held, waits]), [0, 'waits']);
    assert.equal(await pool.run('echo', 'again'), 'again');
  });

  it('refuses the last job of the busiest address in favour of another address', async () => {
    const pool = poolOf({ limit: { jobs: 3, refusal: refuse.searchBusy } });
    const board = boardOf(1);
    const held = pool.run('held', { board, place: 0 }, { address: 'a' });
    const first = pool.run('echo', 'first', { address: 'a' });
    const last = pool.run('echo', 'last', { address: 'a' });
    const other = pool.run('echo', 'other', { address: 'b' });
    await assert.rejects(last, refuse.searchBusy());
    await assert.rejects(pool.run('echo', 'too much', { address: 'b' }), refuse.searchBusy());
    await begun(board, 0);
    release(board, 0);
    assert.deepEqual(await Promise.all([held, first, other]), [0, 'first', 'other']);
  });

  it('builds the request of a job in its turn, and fails a job whose request cannot be built', async () => {
    const pool = poolOf();
    const board = boardOf(1);
    const held = pool.run('held', { board, place: 0 });
    await begun(board, 0);
    let made = 0;
    const waits = pool.run('echo', async () => `made ${++made}`);
    const fails = pool.run('echo', async () => {
      throw new Error('not there');
    });
    assert.equal(made, 0);
    release(board, 0);
    assert.deepEqual(await Promise.all([held, waits]), [0, 'made 1']);
    await assert.rejects(fails, /not there/);
    assert.equal(await pool.run('echo', 'next'), 'next');
  });

  it("returns a job's refusal unchanged", async () => {
    await assert.rejects(poolOf().run('refused', undefined), (error) => {
      assert.ok(error instanceof Refusal);
      const { code, message, facts, setting } = refuse.uploadTooLarge(1, 2);
      assert.deepEqual(
        [error.code, error.message, error.facts, error.setting],
        [code, message, facts, setting],
      );
      return true;
    });
  });

  it('removes an aborted job from the queue, with the reason', async () => {
    const pool = poolOf({ limit: { jobs: 2, refusal: refuse.searchBusy } });
    const board = boardOf(2);
    const held = pool.run('held', { board, place: 0 });
    const gone = new AbortController();
    const left = pool.run('held', { board, place: 1 }, { signal: gone.signal });
    await begun(board, 0);
    gone.abort();
    await assert.rejects(left, (reason) => reason === gone.signal.reason);
    const next = pool.run('echo', 'next');
    const late = pool.run('held', { board, place: 1 }, { signal: gone.signal });
    await assert.rejects(late, (reason) => reason === gone.signal.reason);
    release(board, 0);
    assert.deepEqual(await Promise.all([held, next]), [0, 'next']);
    assert.equal(Atomics.load(board, 1), 0);
  });

  it('aborts a running job, and keeps its thread', async () => {
    const pool = poolOf();
    const board = boardOf(1);
    const gone = new AbortController();
    const left = pool.run('heldUntilAbandoned', { board, place: 0 }, { signal: gone.signal });
    await begun(board, 0);
    gone.abort();
    await assert.rejects(left, (reason) => reason === gone.signal.reason);
    const thread = await pool.run('numberOfThread', undefined);
    assert.equal(Atomics.load(board, 0), 1000 + thread);
  });

  it('leaves no listener on a signal that outlives its jobs', async () => {
    const pool = poolOf();
    const { signal } = new AbortController();
    await pool.run('echo', 'done', { signal });
    await assert.rejects(pool.run('refused', undefined, { signal }), refuse.uploadTooLarge(1, 2));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
  });

  it('loses only one job when a thread dies', async () => {
    const pool = poolOf({ maxThreads: 2 });
    const board = boardOf(1);
    const held = pool.run('held', { board, place: 0 });
    const jobs = [pool.run('dies', 3), ...['a', 'b', 'c'].map((text) => pool.run('echo', text))];
    const outcomes = (await Promise.allSettled(jobs)).map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason.message,
    );
    assert.deepEqual(outcomes, ['worker exited with code: 3', 'a', 'b', 'c']);
    await begun(board, 0);
    release(board, 0);
    assert.equal(await held, 0);
  });

  for (const [fails, reason] of [
    ['throws', /This thread cannot start/],
    ['exits', /ended before it had a job/],
  ] as const) {
    it(`fails the jobs that wait for threads whose program ${fails}`, async () => {
      const pool = failingPool(fails);
      const outcomes = await Promise.allSettled([1, 2, 3].map((each) => pool.run('echo', `job ${each}`)));
      for (const outcome of outcomes) assert.match(String((outcome as PromiseRejectedResult).reason), reason);
    });
  }

  it('fails a job whose thread cannot start after the last other thread has died', async ({ mock }) => {
    const ended = mock.method(Worker.prototype, 'terminate').mock;
    const pool = failingPool('throws', 1);
    const board = boardOf(1);
    const dies = pool.run('heldThenDies', { board, place: 0 });
    await begun(board, 0);
    const waits = pool.run('echo', 'waits');
    // More than one: threads of other pools in this process end as well.
    await until(() => ended.callCount() > 0);
    release(board, 0);
    await assert.rejects(dies, /exited with code: 3/);
    // Whichever is heard of first, the error or the end of its thread.
    await assert.rejects(waits, /ended before it had a job|This thread cannot start/);
  });

  it("reports a job that exceeded its thread's memory", async () => {
    const pool = poolOf({ resourceLimits: { maxOldGenerationSizeMb: 16 } });
    await assert.rejects(pool.run('fills', undefined), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
    assert.equal(await pool.run('echo', 'next'), 'next');
  });

  it('has idle threads that still receive messages', async (t) => {
    const name = 'of one pool';
    const pool = poolOf({ maxThreads: 2, workerData: name });
    const board = boardOf(3);
    const jobs = [0, 1].map((place) => pool.run('held', { board, place }));
    await Promise.all([begun(board, 0), begun(board, 1)]);
    for (const place of [0, 1]) release(board, place);
    await Promise.all(jobs);
    const channel = new BroadcastChannel(name);
    t.after(() => channel.close());
    channel.postMessage({ board, place: 2 });
    await until(() => Atomics.load(board, 2) === 2);
  });

  it('ends idle threads, and starts one for the next job', async ({ mock }) => {
    const terminated = mock.method(Worker.prototype, 'terminate').mock;
    const pool = poolOf({ idleMs: 10 });
    assert.equal(await pool.run('echo', 'one'), 'one');
    // More than one: threads of other pools in this process end as well.
    await until(() => terminated.callCount() > 0);
    assert.equal(await pool.run('echo', 'two'), 'two');
  });

  it('keeps the process alive only while a job waits', async () => {
    const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const extension = import.meta.url.slice(-3);
    const script = `import { ThreadPool } from ${module(`../../src/node/background/thread-pool${extension}`)};
      const program = ${JSON.stringify(programBeside(import.meta.url, './pool-jobs'))};
      const pool = new ThreadPool({ program, maxThreads: 1, idleMs: 600_000, resourceLimits: {} });
      pool.run('echo', 'one').then(console.log);
      pool.run('echo', 'two').then(console.log);`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [...nodeOptions(), '--input-type=module', '--eval', script],
      { timeout: 60_000 },
    );
    assert.equal(stdout, 'one\ntwo\n');
  });
});

describe('A closing pool of threads', () => {
  afterEach(closeAll);

  it('rejects running and waiting jobs, and accepts no new ones', async () => {
    const pool = poolOf();
    const board = boardOf(1);
    const jobs = [pool.run('held', { board, place: 0 }), pool.run('echo', 'waits')];
    await begun(board, 0);
    const closed = Promise.all([pool.close(), pool.close()]);
    for (const outcome of await Promise.allSettled(jobs)) {
      assert.equal(outcome.status, 'rejected');
      assert.deepEqual(outcome.reason, refuse.closing());
    }
    await closed;
    await assert.rejects(pool.run('echo', 'later'), refuse.closing());
  });

  it('awaits running and waiting jobs, and accepts no new ones, when it finishes', async () => {
    const pool = poolOf();
    const jobs = ['a', 'b', 'c'].map((text) => pool.run('echo', text));
    await Promise.all([pool.finish(), pool.finish()]);
    await assert.rejects(pool.run('echo', 'later'), refuse.closing());
    assert.deepEqual(await Promise.all(jobs), ['a', 'b', 'c']);
  });

  it('rejects waiting jobs on abort, and reports the end of running ones', async () => {
    const pool = poolOf();
    const board = boardOf(1);
    const runs = pool.run('heldUntilAbandoned', { board, place: 0 });
    const waits = pool.run('echo', 'waits');
    await begun(board, 0);
    pool.giveUp();
    await assert.rejects(waits, refuse.closing());
    await runs;
    assert.ok(Atomics.load(board, 0) > 1000);
    await pool.finish();
  });

  it('closes without any job', async () => {
    await poolOf().close();
    await poolOf().finish();
  });
});
