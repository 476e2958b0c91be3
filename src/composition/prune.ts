import { join } from 'node:path';
import { type DueRow, type PruneRequest, StartError, type Storage } from '../adapters/cli/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import { ApplyRetention } from '../application/index.js';
import { describeRule, Refusal } from '../domain/index.js';
import { interruptible } from './interruptible.js';
import { retentionRulesOf } from './retention.js';
import { docsDirectoryFacts, storagePlace, warn, withoutCache } from './storage.js';

/** `lectern prune`: removes what the rules of retention remove, or only tells it in a dry run. */
export function prune({ storage, retention, keepRemovedMs, dryRun }: PruneRequest): AsyncIterable<DueRow> {
  return interruptible(async function* ({ directory, signal }) {
    const rules = await retentionRulesOf(retention);
    if ('docs' in storage) await docsDirectoryFacts(storage.docs);
    const archives = new ZipArchives();
    const place = storagePlace(used(storage, join(directory, 'cache')));
    const { docs } = await place.open({ archives, isReadOnly: dryRun, keepRemovedMs, report: warn });
    try {
      const use = new ApplyRetention(docs, rules);
      const now = new Date();
      for await (const { version, rule } of dryRun ? use.due(now) : use.execute(now, signal)) {
        const settings = docs.catalogue().settingsOf(version.project);
        yield {
          name: version.directoryName,
          rule,
          reason: describeRule(rule, use.rulesOf({ settings })),
          archiveBytes: version.archive?.size,
        };
      }
      signal.throwIfAborted();
    } catch (error) {
      // Such as settings that cannot be read.
      throw error instanceof Refusal ? new StartError(error.message, { cause: error }) : error;
    } finally {
      await docs.close();
      await archives.close();
    }
  });
}

function used(storage: Storage, directory: string): Storage {
  return 'docs' in storage ? storage : { store: { ...storage.store, ...withoutCache(directory) } };
}
