import type { ClearUpOptions } from '../../application/index.js';
import { isKeptWhenRemoved, keptFor, maxInRound } from '../../domain/index.js';
import type { ObjectClient } from './client/object-client.js';
import { keys, PREFIXES, revisionOfKey } from './keys.js';
import { versionOfRecord } from './log/commit.js';
import type { Replica } from './log/replica.js';
import type { Removed } from './log/store-state.js';

/**
 * Time that objects are kept, in milliseconds: those of removed versions, for readers of other nodes, and those without
 * a commit, for uploads that take long.
 */
export const KEPT_MS = 24 * 60 * 60 * 1000;
/** Milliseconds between two looks for objects without a commit, which list all objects. */
const SWEEP_EVERY_MS = 24 * 60 * 60 * 1000;
/** Milliseconds until the first of them. */
const FIRST_SWEEP_MS = 60 * 60 * 1000;
/** A look that finds more, and more than a tenth of all objects, deletes none: it is rather the log that is wrong. */
const MAX_SWEPT = 100;
/** Max. revisions that one commit announces. */
const MAX_PURGED = 1_000;

/** The time until which a removed publication can be restored, in milliseconds since 1970; undefined when it never can. */
export function restorableUntil(
  { record, at, isReplaced, isRestored }: Removed,
  keepRemovedMs: number,
): number | undefined {
  const version = versionOfRecord(record);
  const isKept = isRestored !== true && isKeptWhenRemoved(version, new Date(at), isReplaced);
  return isKept ? at + keptFor(version, keepRemovedMs) : undefined;
}

/** Deletes objects that are no longer needed. Safe on several nodes at once: keys are never used twice. */
export class Clearing {
  /** Time of the next look for objects without a commit, in milliseconds since 1970. */
  private nextSweep = Date.now() + FIRST_SWEEP_MS;
  /** Whether the last look for objects without a commit found too many, and has said so. */
  private isHeldBack = false;

  constructor(
    private readonly client: ObjectClient,
    private readonly replica: Replica,
    /** Time for which removed and replaced versions can be restored, in milliseconds; undefined when it is not known. */
    private readonly keepRemovedMs: number | undefined,
    private readonly report: (message: string, fields: object) => void = () => {},
  ) {}

  /**
   * Purges what cannot be restored any more, and once a day deletes objects without a commit.
   * @param options.all does it whole: neither leaves publications for a later round, nor waits for the day
   * @returns how many publications were left for later
   */
  async run(now: number, { all = false }: ClearUpOptions = {}): Promise<number> {
    const waiting = await this.purgeOld(now, all);
    if (!all && now < this.nextSweep) return waiting;
    await this.sweep(now - KEPT_MS, { all });
    this.nextSweep = now + SWEEP_EVERY_MS;
    return waiting;
  }

  private async purgeOld(now: number, all: boolean): Promise<number> {
    const { keepRemovedMs } = this;
    if (keepRemovedMs === undefined) return 0;
    const removed = [...this.replica.current.removed.values()];
    const old = removed
      .filter((each) => each.at < now - KEPT_MS && (restorableUntil(each, keepRemovedMs) ?? 0) <= now)
      .sort((a, b) => a.at - b.at);
    const most = all ? old.length : maxInRound(removed.length);
    const goes = new Set(old.slice(0, most).map(({ record }) => record.revision));
    if (goes.size > 0) await this.purge(({ record }) => goes.has(record.revision));
    return Math.max(0, old.length - most);
  }

  /**
   * Purges publications that were replaced or removed: announces it in the log, then deletes their objects. Objects that
   * a node does not delete because it ends, or because the store is away, are left to a sweep.
   */
  async purge(isWanted: (removed: Removed) => boolean): Promise<void> {
    for (;;) {
      const purge = await this.replica.change(({ removed }) => {
        const wanted = [...removed.values()].filter(isWanted).slice(0, MAX_PURGED);
        const revisions = wanted.map(({ record }) => record.revision);
        return revisions.length === 0 ? undefined : { kind: 'purge', revisions };
      });
      for (const revision of purge?.revisions ?? []) {
        const derived: string[] = [];
        for await (const { key } of this.client.list(keys.derivedFiles(revision))) derived.push(key);
        await this.client.remove([keys.archive(revision), keys.index(revision), ...derived]);
      }
      if (purge?.revisions.length !== MAX_PURGED) return;
    }
  }

  /**
   * Deletes objects that no commit names: of uploads that ended too early, or of a purge that did.
   * @param options.all also if these are many
   * @throws LogBroken: which objects have a commit is not known then
   */
  async sweep(before: number, { all = false }: ClearUpOptions = {}): Promise<void> {
    let listed = 0;
    const old: string[] = [];
    for (const prefix of [PREFIXES.archives, PREFIXES.indexes, PREFIXES.derived, PREFIXES.proofs]) {
      for await (const { key, modifiedAt } of this.client.list(prefix)) {
        listed += 1;
        if (modifiedAt.getTime() < before) old.push(key);
      }
    }
    // After the listing: what was committed meanwhile is known now.
    await this.replica.follow(true);
    const { current } = this.replica;
    const isOrphan = (revision: string | undefined) => revision !== undefined && !current.isKnown(revision);
    const orphans = old.filter((key) => isOrphan(revisionOfKey(key)));
    const isTooMuch = orphans.length > MAX_SWEPT && orphans.length > listed / 10;
    const wasHeldBack = this.isHeldBack;
    this.isHeldBack = isTooMuch && !all;
    if (!this.isHeldBack) return this.client.remove(orphans);
    if (wasHeldBack) return;
    this.report(
      `${orphans.length} of ${listed} objects belong to no commit of the log and were not deleted because there are so many; run \`lectern verify --store\` to check for lost commits, and \`lectern prune --store … --keep-removed …\` to delete them`,
      {},
    );
  }
}
