import type { ObjectClient } from './client/object-client.js';
import { keys, PREFIXES, revisionOfKey } from './keys.js';
import type { Replica } from './log/replica.js';

/**
 * Time that objects are kept, in milliseconds: those of removed versions, for readers of other nodes, and those without
 * a commit, for uploads that take long.
 */
export const KEPT_MS = 24 * 60 * 60 * 1000;
/** Milliseconds between two looks for removed versions whose time has come. */
const INTERVAL_MS = 60 * 60 * 1000;
/** Looks for removed versions, per look for objects without a commit: that one lists all objects. */
const PURGES_PER_SWEEP = 24;
/** Max. revisions that one commit announces. */
const MAX_PURGED = 1_000;

/** Deletes objects that are no longer needed. Safe on several nodes at once: keys are never used twice. */
export class Clearing {
  private timer: NodeJS.Timeout | undefined;
  private current: Promise<void> = Promise.resolve();
  private looks = 0;

  constructor(
    private readonly client: ObjectClient,
    private readonly replica: Replica,
    private readonly report: (message: string, fields: object) => void,
  ) {}

  /** Clears once in an hour from now on. */
  start(): void {
    this.timer = setInterval(() => {
      this.looks += 1;
      this.current = this.run(this.looks % PURGES_PER_SWEEP === 1);
    }, INTERVAL_MS);
    this.timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.current;
  }

  /**
   * Purges revisions that were replaced or removed long enough ago: announces it in the log, then deletes their objects.
   * @param before only those removed before this time, in milliseconds since 1970
   */
  async purge(before: number): Promise<void> {
    let revisions: readonly string[] = [];
    await this.replica.change(({ retired }) => {
      revisions = [...retired]
        .flatMap(([revision, at]) => (at < before ? [revision] : []))
        .slice(0, MAX_PURGED);
      return revisions.length === 0 ? undefined : { kind: 'purge', revisions: [...revisions] };
    });
    for (const revision of revisions) await this.deleteObjectsOf(revision);
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

  private async run(sweeps: boolean): Promise<void> {
    try {
      const before = Date.now() - KEPT_MS;
      await this.purge(before);
      if (sweeps) await this.sweep(before);
    } catch (error) {
      this.report('could not clear objects of removed versions; the next attempt is in an hour', {
        err: error,
      });
    }
  }

  private async deleteObjectsOf(revision: string): Promise<void> {
    const derived: string[] = [];
    for await (const { key } of this.client.list(keys.derivedFiles(revision))) derived.push(key);
    await this.client.remove([keys.archive(revision), keys.index(revision), ...derived]);
  }
}
