/**
 * Kills a server at random instants of continuous publishing, replacing and deleting, for as many minutes as are given,
 * and checks after each kill that every version is wholly old or wholly new and that nothing is left over:
 *
 *     node --import tsx bench/crash.ts [minutes, 3 unless given]
 */
import { killRounds } from '../test/robustness/kill-rounds.js';

const minutes = Number(process.argv[2] ?? 3);
const end = performance.now() + minutes * 60_000;
let told = 0;

const { rounds, changes, hits, done, undone } = await killRounds((figures) => {
  if (figures.rounds >= told + 25) {
    told = figures.rounds;
    console.error(`  ${told} kills`);
  }
  return performance.now() < end;
});
console.log(
  `${rounds} kills in ${minutes} minutes of ${changes} changes: ${hits} changes were under way, ${done} came out new and ${undone} old, none anything else`,
);
