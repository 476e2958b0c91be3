/**
 * Kills a server at random instants of continuous publishing, replacing and deleting, for as many minutes as are given,
 * and checks after each kill that every version is wholly old or wholly new and that nothing is left over:
 *
 *     npm run build && node --import tsx bench/crash.ts [minutes, 3 unless given]
 */
import { type KillFigures, killRounds } from '../test/robustness/kill-rounds.js';
import { mainOfBuild } from './support/builds.js';
import { alternating } from './support/numbers.js';
import { progress, ROUNDS, whenRunAlone } from './support/script.js';
import type { Section } from './support/table.js';

const MINUTES = Number(process.argv[2] ?? 3);

export async function crash(): Promise<Section> {
  const ms = (MINUTES * 60_000) / ROUNDS;
  const { figures } = await alternating(ROUNDS, {
    figures: async (round) => {
      progress(`crash: round ${round + 1}`);
      const end = performance.now() + ms;
      return killRounds(() => performance.now() < end, mainOfBuild());
    },
  });
  const sum = (what: keyof KillFigures) => figures.reduce((all, each) => all + each[what], 0);
  const each = (what: keyof KillFigures) => figures.map((one) => (1_000 * one[what]) / ms);
  return {
    title: 'Crashes',
    note: `${MINUTES} minutes in ${ROUNDS} rounds: ${sum('rounds')} kills, ${sum('changes')} changes.`,
    rows: [
      { what: 'kills, each with a start and all checks', against: '', unit: '/s', values: each('rounds') },
      {
        what: 'changes',
        against: '',
        unit: '/s',
        values: each('changes'),
        detail: `${sum('hits')} were under way, ${sum('done')} came out new and ${sum('undone')} old, none anything else`,
      },
    ],
  };
}

await whenRunAlone(import.meta.url, crash, MINUTES + 5);
