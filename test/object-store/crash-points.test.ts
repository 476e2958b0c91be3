import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Clearing } from '../../src/adapters/object-store/clearing.js';
import type { OpenObjectStore } from '../../src/adapters/object-store/index.js';
import { revisionOfKey } from '../../src/adapters/object-store/keys.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Replica } from '../../src/adapters/object-store/log/replica.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { ApplyRetention, Changes, ExpirePreviews } from '../../src/application/index.js';
import {
  NO_SETTINGS,
  type ProjectSettings,
  settingsText,
  withAlias,
  withDeprecated,
  withHidden,
  withRetention,
} from '../../src/domain/index.js';
import { idOf, publish, readPage, removedOf } from '../contracts/doc-store.js';
import { type Fault, type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { keysOf, openNode } from './support.js';

const KEEP_MS = 3_600_000;
const END = new Date('2026-02-03T04:05:06Z');
const NAMED = withAlias(NO_SETTINGS, 'stable', '1.0');

interface Scenario {
  readonly title: string;
  prepare(store: OpenObjectStore): Promise<unknown>;
  act(store: OpenObjectStore): Promise<unknown>;
  /** Text of the page of the version or preview before and after; undefined when it is not there. */
  readonly pages?: readonly [name: string, before: string | undefined, after: string | undefined];
  /** The settings of project b, before and after. */
  readonly settings?: readonly [before: ProjectSettings, after: ProjectSettings];
  /** The page of `a-1.0` that is public or can be restored after any crash. */
  readonly preserves?: string;
}

const upload = (name: string, text: string) => (store: OpenObjectStore) => {
  const end = name.includes('~') ? { expiresAt: END } : {};
  return publish(store, name, { 'index.html': text }, { replace: true, ...end });
};

/** A change of the settings of project b. */
function setting(title: string, from: ProjectSettings, to: ProjectSettings): Scenario {
  const change = (settings: ProjectSettings) => (store: OpenObjectStore) =>
    store.changeSettings('b', () => settings);
  return { title, prepare: change(from), act: change(to), settings: [from, to] };
}

const SCENARIOS: readonly Scenario[] = [
  {
    title: 'publishing a new preview',
    prepare: async () => {},
    act: upload('a~pr-1', 'new'),
    pages: ['a~pr-1', undefined, 'new'],
  },
  {
    title: 'replacing a preview',
    prepare: upload('a~pr-1', 'old'),
    act: upload('a~pr-1', 'new'),
    pages: ['a~pr-1', 'old', 'new'],
  },
  {
    title: 'deleting a preview',
    prepare: upload('a~pr-1', 'old'),
    act: (store) => store.remove(idOf('a~pr-1')),
    pages: ['a~pr-1', 'old', undefined],
  },
  {
    title: 'removing an expired preview',
    prepare: upload('a~pr-1', 'old'),
    act: async (store) => {
      for await (const _ of new ExpirePreviews(store, new Changes(store)).execute(END));
    },
    pages: ['a~pr-1', 'old', undefined],
  },
  {
    title: 'replacing a version that is kept',
    prepare: upload('a-1.0', 'old'),
    act: upload('a-1.0', 'new'),
    pages: ['a-1.0', 'old', 'new'],
    preserves: 'old',
  },
  {
    title: 'deleting a version that is kept',
    prepare: upload('a-1.0', 'old'),
    act: (store) => store.remove(idOf('a-1.0')),
    pages: ['a-1.0', 'old', undefined],
    preserves: 'old',
  },
  {
    title: 'removing a version by a rule of retention',
    prepare: async (store) => {
      await upload('a-1.0', 'old')(store);
      await upload('a-1.0.1', 'newer')(store);
    },
    act: async (store) => {
      const retention = new ApplyRetention(store, new Changes(store), { keepPerMinor: 1 });
      for await (const _ of retention.execute(new Date()));
    },
    pages: ['a-1.0', 'old', undefined],
    preserves: 'old',
  },
  {
    title: 'restoring a deleted version',
    prepare: async (store) => {
      await upload('a-1.0', 'old')(store);
      await store.remove(idOf('a-1.0'));
    },
    act: async (store) => store.restore(await removedOf(store, 'a-1.0'), { replace: false }),
    pages: ['a-1.0', undefined, 'old'],
    preserves: 'old',
  },
  {
    title: 'purging a version',
    prepare: upload('a-1.0', 'old'),
    act: (store) => store.remove(idOf('a-1.0'), { purge: true }),
    pages: ['a-1.0', 'old', undefined],
  },
  setting('setting an alias', NO_SETTINGS, NAMED),
  setting('removing the last setting', NAMED, NO_SETTINGS),
  setting('setting rules of retention', NAMED, withRetention(NAMED, { keepPerMinor: 3 })),
  setting('hiding a version', NAMED, withHidden(NAMED, '1.0', true)),
  setting('deprecating a version', NAMED, withDeprecated(NAMED, '1.0', 'Take 2.0')),
];

describe('A node on an object store that ends at any request', () => {
  for (const scenario of SCENARIOS) {
    it(`leaves the old or the new state while ${scenario.title}, and the next node continues`, async (t) => {
      const template = await prepare(t, scenario);
      const { requests } = await run(t, new Map(template), scenario);
      assert.ok(requests > 0);
      for (let at = 1; at <= requests; at++) {
        for (const fault of ['before', 'after'] as const) {
          await crashAt(t, new Map(template), scenario, at, fault).catch((error: Error) => {
            throw new Error(`${fault} request ${at} of ${requests}`, { cause: error });
          });
        }
      }
      t.diagnostic(`${2 * requests} crash points`);
    });
  }
});

async function prepare(t: TestContext, { prepare }: Scenario): Promise<MemoryBucket> {
  const bucket: MemoryBucket = new Map();
  const { store } = await openNode(t, bucket, { keepRemovedMs: KEEP_MS });
  await upload('b-1.0', 'beside')(store);
  await prepare(store);
  await store.close();
  return bucket;
}

/** Does the change on a node of its own, whose requests all fail from one on. */
async function run(t: TestContext, bucket: MemoryBucket, { act }: Scenario, at?: number, fault?: Fault) {
  const { store, client } = await openNode(t, bucket, { keepRemovedMs: KEEP_MS, pollMs: KEEP_MS });
  let requests = 0;
  client.faults = () => {
    requests += 1;
    if (requests === at) return fault;
    return requests > (at ?? Number.POSITIVE_INFINITY) ? 'before' : undefined;
  };
  const isDone = await act(store).then(
    () => true,
    (error: { code?: string }) => {
      assert.equal(error.code, 'unavailable');
      return false;
    },
  );
  const made = requests;
  await store.close();
  return { isDone, requests: made };
}

async function crashAt(t: TestContext, bucket: MemoryBucket, scenario: Scenario, at: number, fault: Fault) {
  const { isDone } = await run(t, bucket, scenario, at, fault);
  const { store } = await openNode(t, bucket, { keepRemovedMs: KEEP_MS, pollMs: KEEP_MS });
  assert.equal(await readPage(store, 'b-1.0', 'index.html'), 'beside');
  const isChanged = await assertEither(store, scenario, isDone);
  if (scenario.preserves !== undefined) await assertPreserved(store, scenario.preserves);
  if (!isChanged) {
    await scenario.act(store);
    await assertEither(store, scenario, true);
  }
  await store.close();
  await assertSwept(bucket);
}

/** @returns whether the change has happened */
async function assertEither(
  store: OpenObjectStore,
  { pages, settings }: Scenario,
  isDone: boolean,
): Promise<boolean> {
  const isThere = (name: string) => store.catalogue().version(name) !== undefined;
  const [name = '', ...texts] = pages ?? [];
  const states = pages === undefined ? (settings ?? []).map(settingsText) : texts;
  const found =
    pages === undefined
      ? settingsText(store.catalogue().settingsOf('b'))
      : isThere(name)
        ? await readPage(store, name, 'index.html')
        : undefined;
  assert.ok((isDone ? states.slice(-1) : states).includes(found), `found ${found}`);
  return found === states.at(-1);
}

async function assertPreserved(store: OpenObjectStore, text: string): Promise<void> {
  const isPublic = store.catalogue().version('a-1.0') !== undefined;
  if (isPublic && (await readPage(store, 'a-1.0', 'index.html')) === text) return;
  const kept = (await store.removed()).map(({ version }) => version.directoryName);
  assert.deepEqual([...new Set(kept)], ['a-1.0']);
}

/** Asserts that no object is left that no commit names. */
async function assertSwept(bucket: MemoryBucket): Promise<void> {
  const client = new MemoryObjectClient(bucket);
  const options = { pollMs: KEEP_MS, report: () => {} };
  const replica = await Replica.open(new CommitLog(client), new Snapshots(client), options);
  await new Clearing(client, replica, 0).sweep(Date.now() + 1_000);
  for (const key of [...keysOf(bucket, 'archive/'), ...keysOf(bucket, 'index/')]) {
    assert.ok(replica.current.isKnown(revisionOfKey(key) ?? ''), `${key} was left`);
  }
  await replica.close();
}
