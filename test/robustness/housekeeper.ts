import { FilesystemDocStore } from '../../src/adapters/filesystem/index.js';
import { Changes, ExpirePreviews } from '../../src/application/index.js';
import { Housekeeping } from '../../src/composition/housekeeping.js';
import { noArchives } from '../support/no-archives.js';

/**
 * Removes expired previews of a docs directory as `lectern serve` does, but from its start on, and believes its clock:
 * nobody can wait for ten minutes in each round of a test.
 */
const [docs = ''] = process.argv.slice(2);
const archives = { ...noArchives, pack: noArchives.unpack };
const store = await FilesystemDocStore.open(docs, { archives, readDocinfo: () => ({}), keepRemovedMs: 0 });
const expiring = new ExpirePreviews(store, new Changes(store));
const chore = {
  name: 'removing expired previews',
  run: async (now: Date, signal: AbortSignal) => {
    for await (const _ of expiring.execute(now, signal));
    return expiring.nextEnd(now);
  },
};
const believing = {
  subscribe: store.subscribe.bind(store),
  judgeClock: async () => ({ kind: 'believed' as const }),
};
new Housekeeping(believing, [chore], { report: console.error, quietMs: 0 });
// Ended by a signal. Keeps the process alive: the timers of housekeeping do not.
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
