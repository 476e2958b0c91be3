import { join } from 'node:path';
import { type DueRow, type PruneRequest, StartError } from '../adapters/cli/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { ApplyRetention, type Audit, Changes, ExpirePreviews } from '../application/index.js';
import { describeRule, minuteOf, Refusal } from '../domain/index.js';
import { recording } from './audit-log.js';
import { interruptible, type Workplace } from './interruptible.js';
import { retentionRulesOf } from './retention.js';
import { placeOnce, warn } from './storage.js';

/** `lectern prune`: removes at once what a server would remove by itself, or only tells it in a dry run. */
export function prune({
  storage,
  retention,
  keepRemovedMs,
  clears,
  dryRun,
  auditLog,
}: PruneRequest): AsyncIterable<DueRow> {
  const work = async function* ({ directory, signal }: Workplace, audit: Audit) {
    const rules = await retentionRulesOf(retention);
    const place = placeOnce(storage, join(directory, 'cache'));
    await place.assertThere();
    const archives = new ZipArchives();
    const { docs } = await place.open({
      archives,
      isReadOnly: dryRun,
      privacy: 'unserved',
      keepRemovedMs,
      report: warn,
    });
    try {
      const changes = new Changes(docs, audit);
      const use = new ApplyRetention(docs, changes, rules);
      const expiring = new ExpirePreviews(docs, changes);
      const now = new Date();
      const verdict = await docs.judgeClock(now, undefined);
      if (verdict.kind === 'doubtful') {
        const doubt = `the clock of this machine is in doubt: ${verdict.why}`;
        if (!dryRun) throw new StartError(`${doubt}. Nothing was removed`);
        warn(doubt, {});
      }
      for await (const preview of dryRun ? expiring.due(now) : expiring.execute(now, signal)) {
        yield {
          name: preview.directoryName,
          rule: 'expired',
          reason: `it expired on ${minuteOf(preview.record.expiresAt ?? now)}`,
          archiveBytes: preview.record.archive?.size,
          isPreview: true,
        };
      }
      for await (const { version, rule } of dryRun ? use.due(now) : use.execute(now, signal)) {
        const settings = docs.catalogue().settingsOf(version.project);
        yield {
          name: version.directoryName,
          rule,
          reason: describeRule(rule, use.rulesOf({ settings })),
          archiveBytes: version.record.archive?.size,
        };
      }
      signal.throwIfAborted();
      if (clears && !dryRun) await docs.clearUp(now, { all: true });
    } catch (error) {
      // A refusal, such as for settings that cannot be read.
      throw error instanceof Refusal ? new StartError(error.message, { cause: error }) : error;
    } finally {
      await docs.close();
      await archives.close();
    }
  };
  return interruptible((place) => recording(dryRun ? undefined : auditLog, (audit) => work(place, audit)));
}
