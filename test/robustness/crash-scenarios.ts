import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { type ProjectSettings, settingsText } from '../../src/domain/index.js';
import { idOf, versionOf } from '../contracts/doc-store.js';
import {
  archives,
  assertInOrder,
  assertRestorable,
  buryLeases,
  copy,
  makeDirectory,
  openStore,
  removeAll,
  type State,
  site,
  upload,
  writeSite,
} from '../filesystem/crash-world.js';
import { Crash, type Fault, FaultyDisk } from '../filesystem/faulty-disk.js';
import { tree } from '../support/tree.js';

export const OLD = site('old');
export const NEW = site('new');
export const HAND = site('hand');
/** With LECTERN_THOROUGH, every fault at every call; else those that differ: after a call is before the next one. */
const CODES = ['ENOSPC', 'EIO', 'EACCES'] as const;
const IS_THOROUGH = process.env.LECTERN_THOROUGH !== undefined;

/** A change that is interrupted at each of its calls that change the disk. */
export interface Scenario {
  readonly title: string;
  /** Makes the state before. */
  prepare(docs: string): Promise<void>;
  /** Change that is interrupted; absent when it is the opening itself. */
  readonly act?: (store: FilesystemDocStore, faulty: FaultyDisk) => Promise<unknown>;
  /** The versions, each with the states that it may be in: before and after. */
  readonly versions: Readonly<Record<string, readonly State[]>>;
  /** The settings of project b, before and after. */
  readonly settings?: readonly ProjectSettings[];
  /** It is several changes: a failure undoes the last one only. */
  readonly hasStepsBetween?: boolean;
  /** Time for which what is removed is kept, in milliseconds. */
  readonly keepMs?: number;
  /** A state of `a-1.0` that is public or can be restored after any crash. */
  readonly preserves?: State;
  /** Whether no removed version is kept after the change. */
  readonly clears?: boolean;
}

/** Other versions in the docs directory, which must never change. */
const BESIDE = { 'b-1.0': [OLD], 'b-2.0': [HAND] } as const;

/** Makes a suite of each scenario. */
export function describeCrashes(scenarios: readonly Scenario[]): void {
  let enumerated = 0;
  const count = (points: number) => {
    enumerated += points;
  };
  for (const scenario of scenarios) describeCrash(scenario, count);
  after(async () => {
    console.log(`# ${enumerated} points of failure enumerated`);
    await archives.close();
  });
}

function describeCrash(scenario: Scenario, count: (points: number) => void): void {
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
      count(points);
      t.diagnostic(`${points} crash points in ${calls.length} calls`);
      await removeAll([template]);
    });

    if (scenario.act === undefined || scenario.hasStepsBetween) return;
    it('changes nothing when a call fails instead, and the next attempt succeeds', async (t) => {
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
      count(failures);
      t.diagnostic(`${failures} failures of ${calls.length} calls`);
      await removeAll([template]);
    });
  });
}

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

/** @returns whether the change was done, and its calls, with those that remove leftovers */
async function run(docs: string, { act, keepMs }: Scenario, faulty: FaultyDisk, at?: number, fault?: Fault) {
  let isDone = false;
  try {
    if (act === undefined) faulty.arm(at, fault);
    const store = await openStore(docs, faulty, undefined, keepMs);
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

  const { keepMs, preserves, clears } = scenario;
  const store = await openStore(docs, undefined, undefined, keepMs);
  const beside = Object.keys(scenario.versions).length === 0 && scenario.settings === undefined ? {} : BESIDE;
  await assertInOrder(docs, store, expected({ ...scenario.versions, ...beside }, isDone));
  assertSet(store, scenario.settings, isDone);
  if (preserves !== undefined) await assertRestorable(store, 'a-1.0', preserves);
  // A sample of the points is enough to see that the store works again.
  if (at % 5 === 0 || IS_THOROUGH) {
    await upload(store, 'a-1.0', OLD);
    await store.remove(idOf('a-1.0'), { purge: true });
  } else if (clears && isDone) assert.deepEqual(await readdir(join(docs, '.lectern/removed')), []);
  await store.close();
  await removeAll([docs]);
}

/** Returns the allowed states of each version: the last one after a success, any of them otherwise. */
function expected(versions: Scenario['versions'], isDone: boolean): Map<string, readonly State[]> {
  return new Map(
    Object.entries(versions).map(([name, states]) => [name, isDone ? states.slice(-1) : states]),
  );
}

async function failAt(template: string, scenario: Scenario, at: number, code: Fault): Promise<void> {
  const { act, keepMs, versions } = scenario;
  if (act === undefined) return;
  const docs = await copy(template);
  const faulty = new FaultyDisk();
  const store = await openStore(docs, faulty, undefined, keepMs);
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
    // The store sees the error of a worker thread only when it packs.
    if (call === 'unpack') refusals.push(code);
    assert.ok(refusals.includes(failure.code ?? ''), failure.stack);
    assert.deepEqual(await tree(docs), before);
    await assertInOrder(
      docs,
      store,
      new Map<string, readonly State[]>([...first, ...Object.entries(BESIDE)]),
    );
    assertSet(store, scenario.settings?.slice(0, 1), true);
    await act(store, faulty);
  }
  await store.close();
  const again = await openStore(docs, undefined, undefined, keepMs);
  await assertInOrder(docs, again, expected({ ...versions, ...BESIDE }, true));
  assertSet(again, scenario.settings, true);
  await again.close();
  await removeAll([docs]);
}

function assertSet(
  store: FilesystemDocStore,
  settings: readonly ProjectSettings[] | undefined,
  isDone: boolean,
): void {
  if (settings === undefined) return;
  const found = settingsText(store.catalogue().settingsOf('b'));
  const allowed = (isDone ? settings.slice(-1) : settings).map(settingsText);
  assert.ok(allowed.includes(found), `the settings of b are ${found}`);
}

function isCrash(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && isCrash(error.cause));
}

export async function prepared(
  docs: string,
  act: (store: FilesystemDocStore) => Promise<unknown>,
  keepMs = 0,
): Promise<void> {
  const store = await openStore(docs, undefined, undefined, keepMs);
  await act(store);
  await store.close();
}

export async function publish(docs: string, name: string, files = OLD): Promise<void> {
  await prepared(docs, (store) => upload(store, name, files));
}

/** A copied-in directory, and an archive that was built of it. */
export async function putByHand(docs: string, name: string, files = OLD): Promise<void> {
  await writeSite(join(docs, name), files);
  const store = await openStore(docs);
  await download(store, name);
  await store.close();
}

export async function download(store: FilesystemDocStore, name: string): Promise<void> {
  const file = await store.openArchive(await versionOf(store, name));
  await file.close();
}
