import assert from 'node:assert/strict';
import { cp, mkdir, readdir, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { thisProcess } from '../../src/adapters/filesystem/housekeeping/process-identity.js';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { idOf, versionOf } from '../contracts/doc-store.js';
import { tree } from '../support/tree.js';
import {
  archives,
  assertInOrder,
  buryLeases,
  copy,
  makeDirectory,
  openStore,
  removeAll,
  type State,
  site,
  upload,
  writeLease,
  writeSite,
} from './crash-world.js';
import { Crash, type Fault, FaultyDisk } from './faulty-disk.js';

const OLD = site('old');
const NEW = site('new');
const HAND = site('hand');
const DEAD = 'dead-0123456789';
/** Every fault at every call; otherwise those that differ: after a call is before the next one. */
const CODES = ['ENOSPC', 'EIO', 'EACCES'] as const;
const IS_THOROUGH = process.env.LECTERN_THOROUGH !== undefined;

interface Scenario {
  readonly title: string;
  /** Makes the state before. */
  prepare(docs: string): Promise<void>;
  /** What is interrupted; nothing when it is the opening itself. */
  readonly act?: (store: FilesystemDocStore, faulty: FaultyDisk) => Promise<unknown>;
  /** The versions, each with the states that it may be in: before and after. */
  readonly versions: Readonly<Record<string, readonly State[]>>;
  /** It is several changes: a failure undoes the last one only. */
  readonly hasStepsBetween?: boolean;
}

const SCENARIOS: readonly Scenario[] = [
  {
    title: 'publishing a new version',
    prepare: async () => {},
    act: (store, faulty) => upload(store, 'a-1.0', NEW, faulty),
    versions: { 'a-1.0': [undefined, NEW] },
  },
  {
    title: 'replacing a version',
    prepare: (docs) => publish(docs, 'a-1.0'),
    act: (store, faulty) => upload(store, 'a-1.0', NEW, faulty),
    versions: { 'a-1.0': [OLD, NEW] },
  },
  {
    title: 'replacing a copied-in directory',
    prepare: (docs) => putByHand(docs, 'a-1.0'),
    act: (store, faulty) => upload(store, 'a-1.0', NEW, faulty),
    versions: { 'a-1.0': [OLD, NEW] },
  },
  {
    title: 'deleting a version',
    prepare: (docs) => publish(docs, 'a-1.0'),
    act: (store) => store.remove(idOf('a-1.0')),
    versions: { 'a-1.0': [OLD, undefined] },
  },
  {
    title: 'deleting a copied-in directory',
    prepare: (docs) => putByHand(docs, 'a-1.0'),
    act: (store) => store.remove(idOf('a-1.0')),
    versions: { 'a-1.0': [OLD, undefined] },
  },
  {
    title: 'replacing a copied-in directory, and deleting what replaced it',
    prepare: (docs) => putByHand(docs, 'a-1.0'),
    act: async (store, faulty) => {
      await upload(store, 'a-1.0', NEW, faulty);
      await store.remove(idOf('a-1.0'));
    },
    versions: { 'a-1.0': [OLD, NEW, undefined] },
    hasStepsBetween: true,
  },
  {
    title: 'building an archive again for a copied-in directory',
    prepare: async (docs) => {
      await putByHand(docs, 'a-1.0');
      await writeSite(join(docs, 'a-1.0'), NEW);
    },
    act: (store) => download(store, 'a-1.0'),
    versions: { 'a-1.0': [NEW] },
  },
  {
    title: 'recovering from a crash that left everything that one can leave',
    prepare: leaveEverything,
    versions: {
      'a-1.0': [OLD],
      'healed-1.0': [OLD],
      'damaged-1.0': [OLD],
      'displaced-1.0': [HAND],
      'replaced-1.0': [OLD],
      'unpublished-1.0': [undefined],
      'gone-1.0': [undefined],
    },
  },
  {
    title: 'restoring a damaged site',
    prepare: async (docs) => {
      await publish(docs, 'a-1.0');
      await truncate(join(docs, 'a-1.0/index.html'), 3);
      await leaveLease(docs);
    },
    versions: { 'a-1.0': [OLD] },
  },
  {
    title: 'making its own directories in an empty one',
    prepare: async (docs) => removeAll((await readdir(docs)).map((name) => join(docs, name))),
    versions: {},
  },
];

/** What stands beside, and must never change. */
const BESIDE = { 'b-1.0': [OLD], 'b-2.0': [HAND] } as const;

let enumerated = 0;

for (const scenario of SCENARIOS) {
  describe(`A crash while ${scenario.title}`, () => {
    it('leaves every version wholly old or wholly new at each call that changes the disk', async (t) => {
      const template = await prepare(scenario);
      const calls = await countCalls(template, scenario);
      let points = 0;
      for (const [index, call] of calls.entries()) {
        for (const fault of ['before', 'half', 'after'] as const) {
          const isLast = index === calls.length - 1;
          if (fault === 'half' && !['write', 'rm', 'unpack', 'pack'].includes(call)) continue;
          if (fault === 'after' && !isLast && !IS_THOROUGH) continue;
          await crashAt(template, scenario, index + 1, fault).catch((error: Error) => {
            throw new Error(`${fault} call ${index + 1}: ${calls.slice(0, index + 1).join(' ')}`, {
              cause: error,
            });
          });
          points += 1;
        }
      }
      enumerated += points;
      t.diagnostic(`${points} crash points in ${calls.length} calls`);
      await removeAll([template]);
    });

    if (scenario.act === undefined || scenario.hasStepsBetween) return;
    it('changes nothing when a call only fails instead, and the next try succeeds', async (t) => {
      const template = await prepare(scenario);
      const calls = await countCalls(template, scenario);
      let failures = 0;
      for (const [index] of calls.entries()) {
        for (const [which, code] of CODES.entries()) {
          if (index % CODES.length !== which && !IS_THOROUGH) continue;
          await failAt(template, scenario, index + 1, code).catch((error: Error) => {
            throw new Error(`${code} at call ${index + 1}: ${calls.slice(0, index + 1).join(' ')}`, {
              cause: error,
            });
          });
          failures += 1;
        }
      }
      enumerated += failures;
      t.diagnostic(`${failures} failures of ${calls.length} calls`);
      await removeAll([template]);
    });
  });
}

after(async () => {
  console.log(`# ${enumerated} points of failure enumerated`);
  await archives.close();
});

async function prepare({ prepare }: Scenario): Promise<string> {
  const docs = await makeDirectory();
  await publish(docs, 'b-1.0');
  await putByHand(docs, 'b-2.0', HAND);
  await prepare(docs);
  return docs;
}

/** Runs the scenario without a fault. */
async function countCalls(template: string, scenario: Scenario): Promise<readonly string[]> {
  const docs = await copy(template);
  const faulty = new FaultyDisk();
  const { calls } = await run(docs, scenario, faulty);
  await faulty.end();
  await removeAll([docs]);
  return calls;
}

/** @returns whether it was done, and the calls of it, removing what is left over included */
async function run(docs: string, { act }: Scenario, faulty: FaultyDisk, at?: number, fault?: Fault) {
  let isDone = false;
  try {
    if (act === undefined) faulty.arm(at, fault);
    const store = await openStore(docs, faulty);
    if (act !== undefined) {
      faulty.arm(at, fault);
      await act(store, faulty);
    }
    isDone = true;
    await store.close();
  } catch (error) {
    if (!isCrash(error)) throw error;
  }
  return { isDone, calls: faulty.calls };
}

async function crashAt(template: string, scenario: Scenario, at: number, fault: Fault): Promise<void> {
  const docs = await copy(template);
  const faulty = new FaultyDisk();
  const { isDone, calls } = await run(docs, scenario, faulty, at, fault);
  assert.ok(calls.length >= at, `${calls.length} calls are too few to stop at call ${at}`);
  await faulty.end();
  await buryLeases(docs);

  const store = await openStore(docs);
  const beside = Object.keys(scenario.versions).length === 0 ? {} : BESIDE;
  await assertInOrder(docs, store, expected({ ...scenario.versions, ...beside }, isDone));
  // That it works again shows in a few as well as in all.
  if (at % 5 === 0 || IS_THOROUGH) {
    await upload(store, 'a-1.0', OLD);
    await store.remove(idOf('a-1.0'));
  }
  await store.close();
  await removeAll([docs]);
}

/** What was answered with success is there; what was not may be or not. */
function expected(versions: Scenario['versions'], isDone: boolean): Map<string, readonly State[]> {
  return new Map(
    Object.entries(versions).map(([name, states]) => [name, isDone ? states.slice(-1) : states]),
  );
}

async function failAt(template: string, scenario: Scenario, at: number, code: Fault): Promise<void> {
  const { act, versions } = scenario;
  if (act === undefined) return;
  const docs = await copy(template);
  const faulty = new FaultyDisk();
  const store = await openStore(docs, faulty);
  const first = Object.entries(versions).map(([name, states]): [string, State[]] => [
    name,
    states.slice(0, 1),
  ]);
  const before = await tree(docs);
  faulty.arm(at, code);
  const failure = await act(store, faulty).then(
    () => undefined,
    (error: Error & { code?: string }) => error,
  );
  const call = faulty.calls.at(at - 1);
  faulty.arm();
  if (failure !== undefined) {
    const refusals = [code === 'ENOSPC' ? 'insufficient_storage' : 'unavailable'];
    // What goes wrong on a worker thread passes through the store's hands only when it packs.
    if (call === 'unpack') refusals.push(code);
    assert.ok(refusals.includes(failure.code ?? ''), failure.stack);
    assert.deepEqual(await tree(docs), before);
    await assertInOrder(
      docs,
      store,
      new Map<string, readonly State[]>([...first, ...Object.entries(BESIDE)]),
    );
    await act(store, faulty);
  }
  await store.close();
  const again = await openStore(docs);
  await assertInOrder(docs, again, expected({ ...versions, ...BESIDE }, true));
  await again.close();
  await removeAll([docs]);
}

function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && isCrash(error.cause));
}

async function publish(docs: string, name: string, files = OLD): Promise<void> {
  const store = await openStore(docs);
  await upload(store, name, files);
  await store.close();
}

/** A copied-in directory, and an archive that was built of it. */
async function putByHand(docs: string, name: string, files = OLD): Promise<void> {
  await writeSite(join(docs, name), files);
  const store = await openStore(docs);
  await download(store, name);
  await store.close();
}

async function download(store: FilesystemDocStore, name: string): Promise<void> {
  const file = await store.openArchive(await versionOf(store, name));
  await file.close();
}

async function leaveLease(docs: string): Promise<void> {
  await mkdir(join(docs, '.lectern/running'), { recursive: true });
  await writeLease(docs, DEAD, { ...thisProcess(''), pid: 2 ** 30 }, new Date());
}

async function leaveEverything(docs: string): Promise<void> {
  const own = join(docs, '.lectern');
  for (const name of ['a-1.0', 'healed-1.0', 'damaged-1.0', 'replaced-1.0', 'gone-1.0'])
    await publish(docs, name);
  const [generation = ''] = await readdir(join(own, 'sites/a-1.0'));
  const whole = join(own, 'sites/a-1.0', generation);

  // A generation that was replaced, one that was being published, and one whose pointer was just deleted.
  await cp(whole, join(own, 'sites/a-1.0', `${DEAD}.1`), { recursive: true });
  await cp(whole, join(own, 'sites/unpublished-1.0', `${DEAD}.2`), { recursive: true });
  await symlink(`.lectern/sites/unpublished-1.0/${DEAD}.2/site`, join(own, 'incoming', `${DEAD}.2.pointer`));
  await symlink('unpublished-1.0/../archive.zip', join(docs, 'unpublished-1.0-docs.zip'));
  await unlink(join(docs, 'gone-1.0'));
  // A link to an archive that was not made yet.
  await unlink(join(docs, 'a-1.0-docs.zip'));
  // A pointer to what is not there, as a copy made during a replacement may have it.
  await unlink(join(docs, 'healed-1.0'));
  await symlink(`.lectern/sites/healed-1.0/${DEAD}.3/site`, join(docs, 'healed-1.0'));
  await truncate(join(docs, 'damaged-1.0/index.html'), 3);
  // Between the two steps of a replacement, and after them.
  await writeSite(join(own, 'displaced', `${DEAD}.4.displaced-1.0`), HAND);
  await writeSite(join(own, 'displaced', `${DEAD}.5.replaced-1.0`), HAND);
  await writeSite(join(own, 'incoming', `${DEAD}.6/site`), NEW);
  await writeFile(join(own, 'incoming', `${DEAD}.7.zip`), 'half of an archive');
  await writeSite(join(own, 'trash', `${DEAD}.8`), HAND);
  await writeSite(join(own, 'built/gone-2.0'), { 'x.zip': 'an archive' });
  // A lock; one that was being given back, and one that was being made.
  await mkdir(join(own, 'locks/a-1.0', `${DEAD}.9`), { recursive: true });
  await mkdir(join(own, 'locks/healed-1.0'));
  await mkdir(join(own, 'incoming', `${DEAD}.10`, `${DEAD}.10`), { recursive: true });
  await writeFile(join(own, 'incoming', `${DEAD}.14.document`), '{');
  await writeSite(join(own, 'derived', `${DEAD}.15`), { 'index.db': 'an index' });
  // Links for web servers: one too few, one that leads elsewhere, and two too many.
  await unlink(join(own, 'public/a-1.0'));
  await unlink(join(own, 'public/a-latest'));
  await symlink(`../sites/a-1.0/${DEAD}.1/site`, join(own, 'public/a-latest'));
  await symlink(`../sites/unpublished-1.0/${DEAD}.2/site`, join(own, 'public/unpublished-1.0'));
  await symlink('../../displaced-1.0', join(own, 'public/displaced-1.0'));
  await leaveLease(docs);
}
