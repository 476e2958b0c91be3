import { naming, retentionOptions } from '../adapters/cli/index.js';
import type { RetentionRules } from '../domain/index.js';
import { Backlog } from './chores.js';
import type { Feature } from './feature.js';

/** Rules by which versions are removed (contract section 4). */
export const retention = {
  options: retentionOptions,
  http: async () => {
    const { retentionOperations } = await import('../adapters/http/retention.js');
    return (parts) => ({ operations: retentionOperations(parts) });
  },
  chores: ({ useCases: { applyRetention }, log, prune, mayRemove }) => {
    if (!mayRemove) return [];
    const versions = new Backlog('versions by rules with days', log, prune);
    const retain = async (removals: ReturnType<typeof applyRetention.execute>) => {
      for await (const { version, rule } of removals) {
        log.info({ version: version.directoryName, rule }, 'a version was removed by a retention rule');
      }
    };
    return [
      {
        name: 'removing versions by retention rules',
        runWithoutClock: (signal) => retain(applyRetention.executeWithoutClock(signal)),
        run: async (now, signal) => {
          const later = versions.later(await applyRetention.dueByDays(now), applyRetention.maxInRound);
          await retain(applyRetention.execute(now, signal, later));
          return undefined;
        },
        waiting: () => versions.waiting,
      },
    ];
  },
} satisfies Feature;

/** Reads the file of `--retention`; without one, no rules. @throws StartError with every fault */
export async function retentionRulesOf(file: string | undefined): Promise<RetentionRules> {
  if (file === undefined) return {};
  const { readRetentionFile } = await import('../adapters/json/index.js');
  return naming(`the retention file ${file}`, readRetentionFile(file));
}
