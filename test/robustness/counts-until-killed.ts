/** A process that counts reads and saves them without pause, and says after each time how many are saved. */
import { openUsage } from '../../src/composition/counting.js';
import { makeVersion } from '../domain/make-version.js';

const [directory = ''] = process.argv.slice(2);
const usage = await openUsage({ directory }, () => {});
for (let saved = 1; ; saved++) {
  for (const project of ['a', 'b']) {
    usage.countReads.count('reads', makeVersion(project, '1.0'), `page-${saved % 500}.html`);
    usage.countReads.count('misses', makeVersion(project, '1.0'), `missing-${saved % 500}`);
  }
  await usage.countReads.save();
  process.stdout.write(`${saved}\n`);
}
