import { cp, mkdir, readdir, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thisProcess } from '../../src/adapters/filesystem/housekeeping/process-identity.js';
import { idOf } from '../contracts/doc-store.js';
import { removeAll, upload, writeLease, writeSite } from '../filesystem/crash-world.js';
import { describeCrashes, download, HAND, NEW, OLD, publish, putByHand } from './crash-scenarios.js';

const DEAD = 'dead-0123456789';

describeCrashes([
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
]);

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
