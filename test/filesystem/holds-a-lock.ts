/** A process that takes the lock of a version, says so, and holds it until it is ended. */
import { nodeDisk } from '../../src/adapters/filesystem/disk.js';
import { Lease } from '../../src/adapters/filesystem/housekeeping/lease.js';
import { Layout } from '../../src/adapters/filesystem/layout.js';
import { VersionLocks } from '../../src/adapters/filesystem/publishing/version-locks.js';
import { KeyedMutex } from '../../src/application/index.js';

const [docs = '', version = ''] = process.argv.slice(2);
const layout = new Layout(docs);
const lease = await Lease.take(nodeDisk, layout.running);
await new VersionLocks(nodeDisk, layout, lease, new KeyedMutex()).run(version, async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => process.stdin.once('end', resolve).resume());
});
await lease.giveBack(true);
