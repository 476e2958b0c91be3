import { Changes, ExpirePreviews } from '../../src/application/index.js';
import { idOf } from '../contracts/doc-store.js';
import { upload } from '../filesystem/crash-world.js';
import { describeCrashes, NEW, OLD, prepared, publish } from './crash-scenarios.js';

/** For which versions are kept, in milliseconds. Previews never are. */
const LONG = 3_600_000;
/** Past the end of every preview, which is 30 days after its upload. */
const LATER = new Date(Date.now() + 31 * 24 * LONG);

describeCrashes([
  {
    title: 'publishing a new preview',
    prepare: (docs) => publish(docs, 'a-1.0'),
    act: (store, faulty) => upload(store, 'a~pr-1', NEW, faulty),
    versions: { 'a~pr-1': [undefined, NEW], 'a-1.0': [OLD] },
  },
  {
    title: 'publishing the first preview of a project without versions',
    prepare: async () => {},
    act: (store, faulty) => upload(store, 'a~pr-1', NEW, faulty),
    versions: { 'a~pr-1': [undefined, NEW] },
  },
  {
    title: 'replacing a preview',
    prepare: (docs) => publish(docs, 'a~pr-1'),
    act: (store, faulty) => upload(store, 'a~pr-1', NEW, faulty),
    versions: { 'a~pr-1': [OLD, NEW] },
    keepMs: LONG,
    clears: true,
  },
  {
    title: 'deleting a preview',
    prepare: (docs) => publish(docs, 'a~pr-1'),
    act: (store) => store.remove(idOf('a~pr-1')),
    versions: { 'a~pr-1': [OLD, undefined] },
    keepMs: LONG,
    clears: true,
  },
  {
    title: 'removing expired previews',
    prepare: (docs) =>
      prepared(docs, async (store) => {
        for (const name of ['a~pr-1', 'a~pr-2', 'b~pr-1', 'a-1.0']) await upload(store, name, OLD);
      }),
    act: async (store) => {
      for await (const _ of new ExpirePreviews(store, new Changes(store)).execute(LATER));
    },
    versions: {
      'a~pr-1': [OLD, undefined],
      'a~pr-2': [OLD, undefined],
      'b~pr-1': [OLD, undefined],
      'a-1.0': [OLD],
    },
    hasStepsBetween: true,
    keepMs: LONG,
    clears: true,
  },
]);
