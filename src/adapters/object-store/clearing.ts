import { isPreview } from '../../domain/index.js';
import type { ObjectClient } from './client/object-client.js';
import { keys, PREFIXES, revisionOfKey } from './keys.js';
import { recordedId } from './log/commit.js';
import type { Replica } from './log/replica.js';
import type { Retired } from './log/store-state.js';

/**
 * Time that objects are kept, in milliseconds: those of removed versions, for readers of other nodes, and those without
 * a commit, for uploads that take long.
 */
export const KEPT_MS = 24 * 60 * 60 * 1000;
/** Milliseconds between two looks for objects without a commit, which list all objects. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds until the first of them. */
const FIRST_SWEEP_MS = 60 * 60 * 1000;
/** Max. revisions that one commit announces. */
const MAX_PURGED = 1_000;

/** Whether a removed publication can be restored. A preview never can: each push would keep one. */
export function isRestorable(
  { record, at, isRestored }: Retired,
  keepRemovedMs: number,
  now: number,
): boolean {
  return isRestored !== true && at > now - keepRemovedMs && !isPreview(recordedId(record));
}

/** Deletes objects that are no longer needed. Safe on several nodes at once: keys are never used twice. */
export class Clearing {
  /** Time of the next look for objects without a commit, in milliseconds since 1970. */
  private nextSweep = Date.now() + FIRST_SWEEP_MS;

  constructor(
    private readonly client: ObjectClient,
    private readonly replica: Replica,
    /** Time for which removed and replaced versions can be restored, in milliseconds; undefined when it is not known. */
    private readonly keepRemovedMs: number | undefined,
  ) {}

  /** Purges what cannot be restored any more, and once a day deletes objects without a commit. */
  async run(now: number): Promise<void> {
    const before = now - KEPT_MS;
    const { keepRemovedMs } = this;
    if (keepRemovedMs !== undefined) {
      await this.purge((retired) => retired.at < before && !isRestorable(retired, keepRemovedMs, now));
    }
    if (now < this.nextSweep) return;
    await this.sweep(before);
    this.nextSweep = now + SWEEP_EVERY_MS;
  }

  /**
   * Purges publications that were replaced or removed: announces it in the log, then deletes their objects. Those that
   * a node does not delete because it ends, or because the store is away, are left to a sweep.
   */
  async purge(isWanted: (retired: Retired) => boolean): Promise<void> {
    let revisions: string[];
    do {
      revisions = [];
      await this.replica.change(({ retired }) => {
        const wanted = [...retired.values()].filter(isWanted).slice(0, MAX_PURGED);
        revisions = wanted.map(({ record }) => record.revision);
        return revisions.length === 0 ? undefined : { kind: 'purge', revisions };
      });
      for (const revision of revisions) await this.deleteObjectsOf(revision);
    } while (revisions.length === MAX_PURGED);
  }

  /** Deletes objects that no commit names: of uploads that ended too early, or of a purge that did. */
  async sweep(before: number): Promise<void> {
    const old: string[] = [];
    for (const prefix of [PREFIXES.archives, PREFIXES.indexes, PREFIXES.derived, PREFIXES.proofs]) {
      for await (const { key, modifiedAt } of this.client.list(prefix)) {
        if (modifiedAt.getTime() < before) old.push(key);
      }
    }
    // After the listing: what was committed meanwhile is known now.
    await this.replica.follow();
    const { current } = this.replica;
    const isOrphan = (revision: string | undefined) => revision !== undefined && !current.isKnown(revision);
    await this.client.remove(old.filter((key) => isOrphan(revisionOfKey(key))));
  }

  private async deleteObjectsOf(revision: string): Promise<void> {
    const derived: string[] = [];
    for await (const { key } of this.client.list(keys.derivedFiles(revision))) derived.push(key);
    await this.client.remove([keys.archive(revision), keys.index(revision), ...derived]);
  }
}
