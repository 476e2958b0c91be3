import assert from 'node:assert/strict';
import type { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { ApplyRetention, Changes } from '../../src/application/index.js';
import { idOf } from '../contracts/doc-store.js';
import { upload } from '../filesystem/crash-world.js';
import { describeCrashes, NEW, OLD, prepared, publish, putByHand } from './crash-scenarios.js';

const LONG = 3_600_000;

describeCrashes([
  {
    title: 'replacing a version that is kept',
    prepare: (docs) => publish(docs, 'a-1.0'),
    act: (store, faulty) => upload(store, 'a-1.0', NEW, faulty),
    versions: { 'a-1.0': [OLD, NEW] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'replacing a copied-in directory that is kept',
    prepare: (docs) => putByHand(docs, 'a-1.0'),
    act: (store, faulty) => upload(store, 'a-1.0', NEW, faulty),
    versions: { 'a-1.0': [OLD, NEW] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'deleting a version that is kept',
    prepare: (docs) => publish(docs, 'a-1.0'),
    act: (store) => store.remove(idOf('a-1.0')),
    versions: { 'a-1.0': [OLD, undefined] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'deleting a copied-in directory that is kept',
    prepare: (docs) => putByHand(docs, 'a-1.0'),
    act: (store) => store.remove(idOf('a-1.0')),
    versions: { 'a-1.0': [OLD, undefined] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'restoring a deleted version',
    prepare: async (docs) => {
      await publish(docs, 'a-1.0');
      await prepared(docs, (store) => store.remove(idOf('a-1.0')), LONG);
    },
    act: restoreNewest,
    versions: { 'a-1.0': [undefined, OLD] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'undoing a replacement',
    prepare: async (docs) => {
      await publish(docs, 'a-1.0');
      await prepared(docs, (store) => upload(store, 'a-1.0', NEW), LONG);
    },
    act: restoreNewest,
    versions: { 'a-1.0': [NEW, OLD] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'restoring a deleted copied-in directory',
    prepare: async (docs) => {
      await putByHand(docs, 'a-1.0');
      await prepared(docs, (store) => store.remove(idOf('a-1.0')), LONG);
    },
    act: restoreNewest,
    versions: { 'a-1.0': [undefined, OLD] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'purging a version, and what is kept of it',
    prepare: async (docs) => {
      await putByHand(docs, 'a-1.0');
      await prepared(docs, (store) => upload(store, 'a-1.0', NEW), LONG);
      await prepared(docs, (store) => upload(store, 'a-1.0', OLD), LONG);
    },
    act: (store) => store.remove(idOf('a-1.0'), { purge: true }),
    versions: { 'a-1.0': [OLD, undefined] },
    hasStepsBetween: true,
    keepMs: LONG,
    clears: true,
  },
  {
    title: 'deleting removed versions',
    prepare: async (docs) => {
      await putByHand(docs, 'a-1.0');
      await prepared(docs, (store) => upload(store, 'a-1.0', NEW), LONG);
      await prepared(docs, (store) => upload(store, 'a-1.0', OLD), LONG);
    },
    act: (store) => store.clearUp(new Date()),
    versions: { 'a-1.0': [OLD] },
    hasStepsBetween: true,
    keepMs: 1,
    clears: true,
  },
  {
    title: 'removing a version by a rule of retention',
    prepare: publishTwo,
    act: retain,
    versions: { 'a-1.0': [OLD, undefined], 'a-1.0.1': [NEW] },
    keepMs: LONG,
    preserves: OLD,
  },
  {
    title: 'removing several versions by rules of retention',
    prepare: async (docs) => {
      await publishTwo(docs);
      await publish(docs, 'a-1.0.2');
    },
    act: retain,
    versions: { 'a-1.0': [OLD, undefined], 'a-1.0.1': [NEW, undefined], 'a-1.0.2': [OLD] },
    hasStepsBetween: true,
  },
]);

async function publishTwo(docs: string): Promise<void> {
  await publish(docs, 'a-1.0');
  await publish(docs, 'a-1.0.1', NEW);
}

/** Keeps one version of each minor. */
async function retain(store: FilesystemDocStore): Promise<void> {
  const retention = new ApplyRetention(store, new Changes(store), { keepPerMinor: 1 });
  for await (const _ of retention.execute(new Date()));
}

async function restoreNewest(store: FilesystemDocStore): Promise<void> {
  const [removed] = await store.removed();
  await store.restore(removed ?? assert.fail('nothing is kept'), { replace: true });
}
