import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { CatalogueChange } from '../../src/application/index.js';
import { type Chore, Housekeeping } from '../../src/composition/housekeeping.js';
import { type ClockVerdict, NO_SETTINGS } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';

const START = Date.UTC(2026, 0, 1);
/** Milliseconds that have passed since the start of a test: only `pass` and `until` let time pass. */
let elapsedMs = 0;

async function pass(ms: number): Promise<void> {
  elapsedMs += ms;
  mock.timers.tick(ms);
  await turn();
}

/** Lets time pass until something has happened. */
async function until(condition: () => boolean): Promise<void> {
  const end = elapsedMs + 2 * 60_000;
  while (!condition()) {
    assert.ok(elapsedMs < end, 'the condition did not come about');
    await pass(1);
  }
}

describe('Housekeeping', () => {
  const reports: string[] = [];
  const runs: number[] = [];
  let wanted: Date | undefined;
  let fail = false;
  let listener: ((change: CatalogueChange) => void) | undefined;
  let housekeeping: Housekeeping;
  let verdict: ClockVerdict | undefined;
  /** Number of runs that had no clock. */
  let runsWithoutClock = 0;
  const chore: Chore = {
    name: 'counting',
    run: async (now) => {
      runs.push(now.getTime());
      if (fail) throw new Error('no disk');
      return wanted;
    },
    runWithoutClock: async () => {
      runsWithoutClock += 1;
      if (fail) throw new Error('no disk');
    },
  };
  const judgeClock = async () => {
    if (verdict === undefined) throw new Error('out of reach');
    return verdict;
  };
  const news = () => listener?.({ came: [makeVersion('a', '1.0')], gone: [], settings: [] });
  const start = (
    everyMs: number,
    chores: readonly Chore[] = [chore],
    more: Partial<ConstructorParameters<typeof Housekeeping>[2]> = {},
  ) => {
    const subscribe = (given: (change: CatalogueChange) => void) => {
      listener = given;
      return () => {
        listener = undefined;
      };
    };
    housekeeping = new Housekeeping({ subscribe, judgeClock }, chores, {
      report: (message) => reports.push(message),
      everyMs,
      pauseMs: 30,
      quietMs: 0,
      now: () => new Date(START + elapsedMs),
      uptimeMs: () => elapsedMs,
      ...more,
    });
  };
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    elapsedMs = 0;
    reports.length = 0;
    runs.length = 0;
    wanted = undefined;
    fail = false;
    verdict = { kind: 'believed' };
    runsWithoutClock = 0;
  });
  afterEach(async () => {
    await housekeeping.close();
    mock.timers.reset();
  });

  it('runs after the first minutes, and then at its interval', async () => {
    start(40);
    await until(() => runs.length === 3);
    const [first = 0, second = 0, third = 0] = runs;
    assert.deepEqual([second - first, third - second], [40, 40]);
  });

  it('runs at the time requested by a chore, and not before', async () => {
    wanted = new Date(START + 300);
    start(60_000);
    await until(() => runs.length === 1);
    wanted = undefined;
    await until(() => runs.length === 2);
    assert.equal(runs[1], START + 300);
  });

  it('runs once after several publications, and not for removals', async () => {
    start(60_000);
    await until(() => runs.length === 1);
    const version = makeVersion('a', '1.0');
    const before = elapsedMs;
    for (let count = 0; count < 5; count++) listener?.({ came: [version], gone: [], settings: [] });
    await until(() => runs.length === 2);
    assert.equal(runs[1], START + before + 30);
    listener?.({ came: [], gone: [version], settings: [] });
    await pass(1_000);
    assert.equal(runs.length, 2);
  });

  it('runs after a change of settings', async () => {
    start(60_000);
    await until(() => runs.length === 1);
    const settings = [{ project: 'a', before: NO_SETTINGS, after: NO_SETTINGS }];
    listener?.({ came: [], gone: [], settings });
    await until(() => runs.length === 2);
  });

  it('runs a chore no more often than its interval', async () => {
    let calm = 0;
    const seldom: Chore = {
      name: 'seldom',
      everyMs: 60_000,
      run: async () => {
        calm += 1;
        return undefined;
      },
    };
    start(30, [chore, seldom]);
    await until(() => runs.length >= 4);
    assert.equal(calm, 1);
  });

  it('runs a skipped chore as soon as its interval allows', async () => {
    let again = 0;
    const seldom: Chore = {
      name: 'seldom',
      everyMs: 200,
      run: async () => {
        again += 1;
        return undefined;
      },
    };
    start(60_000, [chore, seldom]);
    await until(() => again === 1);
    listener?.({ came: [makeVersion('a', '1.0')], gone: [], settings: [] });
    await until(() => runs.length === 2);
    assert.equal(again, 1);
    await until(() => again === 2);
  });

  it('aborts a running chore, and awaits it', async () => {
    let ended = false;
    const long: Chore = {
      name: 'long',
      run: async (_, signal) => {
        runs.push(0);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended = true;
        return undefined;
      },
    };
    start(60_000, [long, chore]);
    await until(() => runs.length === 1);
    await housekeeping.close();
    assert.ok(ended);
    assert.equal(runs.length, 1);
  });

  it('reports a failing chore, and runs all other chores', async () => {
    fail = true;
    let others = 0;
    const other: Chore = {
      name: 'other',
      run: async () => {
        others += 1;
        return undefined;
      },
    };
    start(60_000, [chore, other]);
    await until(() => others === 1);
    assert.deepEqual(reports, ['counting failed; trying again later']);
  });

  it('removes nothing by time in the first minutes, and then at once', async () => {
    let uptime = 0;
    start(40, [chore], { quietMs: 600_000, uptimeMs: () => uptime });
    news();
    await until(() => runsWithoutClock === 1);
    uptime = 599_999;
    news();
    await until(() => runsWithoutClock === 2);
    assert.deepEqual(runs, []);
    uptime = 600_000;
    await until(() => runs.length > 0);
  });

  it('does nothing in the first minutes when nothing was published or set', async () => {
    let looks = 0;
    let uptime = 0;
    const everyMs = 5;
    const report = (message: string) => reports.push(message);
    const docs = {
      subscribe: () => () => {},
      judgeClock: async () => {
        looks += 1;
        return { kind: 'believed' } as const;
      },
    };
    housekeeping = new Housekeeping(docs, [chore], { report, everyMs, uptimeMs: () => uptime });
    await until(() => looks >= 3);
    assert.deepEqual([runs.length, runsWithoutClock], [0, 0]);
    uptime = 600_000;
    await until(() => runs.length > 0);
  });

  it('runs only chores without a clock while the clock is doubted, and reports the beginning and the end', async () => {
    verdict = { kind: 'doubtful', why: 'it says 2030' };
    start(20);
    await until(() => runsWithoutClock >= 3);
    assert.deepEqual(runs, []);
    assert.equal(housekeeping.isClockDoubtful, true);
    verdict = { kind: 'believed' };
    await until(() => runs.length > 0);
    assert.equal(housekeeping.isClockDoubtful, false);
    assert.deepEqual(reports, [
      'the clock of this machine is in doubt: it says 2030. Until it is right, nothing is removed by age',
      'the clock of this machine is no longer in doubt',
    ]);
  });

  for (const [what, unbelieved] of [
    ['nothing speaks for the clock yet', { kind: 'unproven' }],
    ['the storage is out of reach', undefined],
  ] as const) {
    it(`removes nothing by time while ${what}, and warns about nothing`, async () => {
      verdict = unbelieved;
      start(20);
      await until(() => runsWithoutClock >= 2);
      assert.deepEqual([runs, reports, housekeeping.isClockDoubtful], [[], [], false]);
      verdict = { kind: 'believed' };
      await until(() => runs.length > 0);
    });
  }

  it('gives all chores of a round the trusted time, although the clock is set meanwhile', async () => {
    let now = Date.UTC(2026, 0, 1);
    const seen: string[] = [];
    const setting: Chore = {
      name: 'setting the clock',
      run: async (time) => {
        seen.push(time.toISOString());
        now += 365 * 24 * 3_600_000;
        verdict = { kind: 'doubtful', why: 'it says 2027' };
        return undefined;
      },
    };
    const after: Chore = {
      name: 'after it',
      run: async (time) => {
        seen.push(time.toISOString());
        return undefined;
      },
    };
    start(60_000, [setting, after], { now: () => new Date(now) });
    await until(() => seen.length === 2);
    assert.deepEqual(seen, ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']);
  });

  it('runs at its interval when the clock is set back', async () => {
    let now = Date.UTC(2030, 0, 1);
    const seldom: Chore = { ...chore, everyMs: 20 };
    start(30, [seldom], { now: () => new Date(now) });
    await until(() => runs.length > 0);
    now = Date.UTC(2026, 0, 1);
    await until(() => runs.filter((time) => time === now).length >= 2);
  });

  it('retries failed chores that need no clock', async () => {
    fail = true;
    start(30, [chore], { quietMs: 600_000, uptimeMs: () => 0 });
    news();
    await until(() => reports.length > 0);
    fail = false;
    const before = runsWithoutClock;
    await until(() => runsWithoutClock > before);
    assert.equal(reports[0], 'counting failed; trying again later');
  });

  it('awaits the running chore at its end, and starts no other', async () => {
    let end = () => {};
    let isDone = false;
    const slow: Chore = {
      name: 'slow',
      run: () =>
        new Promise((resolve) => {
          end = () => {
            isDone = true;
            resolve(undefined);
          };
        }),
    };
    start(1, [slow, chore]);
    await until(() => {
      end();
      return isDone;
    });
    isDone = false;
    await until(() => runs.length > 0);
    const closing = housekeeping.close();
    end();
    await closing;
    const count = runs.length;
    assert.equal(listener, undefined);
    await pass(1_000);
    assert.equal(runs.length, count);
  });
});
