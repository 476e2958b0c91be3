import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { CatalogueChange } from '../../src/application/index.js';
import { type Chore, Housekeeping } from '../../src/composition/housekeeping.js';
import { NO_SETTINGS } from '../../src/domain/index.js';
import { makeVersion } from '../domain/make-version.js';
import { until } from '../support/until.js';

describe('Housekeeping', () => {
  const reports: string[] = [];
  const runs: number[] = [];
  let wanted: Date | undefined;
  let fail = false;
  let listener: ((change: CatalogueChange) => void) | undefined;
  let housekeeping: Housekeeping;
  const chore: Chore = {
    name: 'counting',
    run: async (now) => {
      runs.push(now.getTime());
      if (fail) throw new Error('no disk');
      return wanted;
    },
  };
  const start = (everyMs: number, chores: readonly Chore[] = [chore]) => {
    const subscribe = (given: (change: CatalogueChange) => void) => {
      listener = given;
      return () => {
        listener = undefined;
      };
    };
    housekeeping = new Housekeeping({ subscribe }, chores, {
      report: (message) => reports.push(message),
      everyMs,
      pauseMs: 30,
    });
  };
  beforeEach(() => {
    reports.length = 0;
    runs.length = 0;
    wanted = undefined;
    fail = false;
  });
  afterEach(async () => housekeeping.close());

  it('runs at the start and then at its interval', async () => {
    start(40);
    await until(() => runs.length >= 3);
    const [first = 0, , third = 0] = runs;
    assert.ok(third - first >= 75, String(third - first));
  });

  it('runs at the time that a chore wants, and not before', async () => {
    const time = Date.now() + 300;
    wanted = new Date(time);
    start(60_000);
    await until(() => runs.length === 1);
    wanted = undefined;
    await until(() => runs.length === 2);
    assert.ok((runs[1] ?? 0) >= time - 2, String((runs[1] ?? 0) - time));
  });

  it('runs once after several publications, and not for removals', async () => {
    start(60_000);
    await until(() => runs.length === 1);
    const version = makeVersion('a', '1.0');
    const before = Date.now();
    for (let count = 0; count < 5; count++) listener?.({ came: [version], gone: [], settings: [] });
    await until(() => runs.length === 2);
    assert.ok((runs[1] ?? 0) - before >= 25);
    listener?.({ came: [], gone: [version], settings: [] });
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(runs.length, 2);
  });

  it('runs after a change of settings', async () => {
    start(60_000);
    await until(() => runs.length === 1);
    const settings = [{ project: 'a', before: NO_SETTINGS, after: NO_SETTINGS }];
    listener?.({ came: [], gone: [], settings });
    await until(() => runs.length === 2);
  });

  it('runs a chore no more often than it says', async () => {
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

  it('runs a chore that was passed over as soon as it may again', async () => {
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

  it('tells a running chore to end, and waits for it', async () => {
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

  it('reports a chore that fails, and runs the others', async () => {
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
    assert.deepEqual(reports, ['counting failed; it will be tried again']);
  });

  it('waits at its end for the chore that is running, and runs nothing more', async () => {
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
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(runs.length, count);
  });
});
