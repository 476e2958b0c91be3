import { randomUUID } from 'node:crypto';
import { type CatalogueChange, KeyedMutex } from '../../../application/index.js';
import { type Catalogue, Refusal, refuse } from '../../../domain/index.js';
import { StoreError, StoreUnavailable } from '../client/store-errors.js';
import { type Change, type Commit, commitOf, UnknownFormat } from './commit.js';
import { type CommitLog, LogBroken } from './commit-log.js';
import type { Snapshots } from './snapshots.js';
import type { StoreState } from './store-state.js';

/** Max. commits that are read at once when there are many. */
const MAX_READ_AT_ONCE = 32;
/** Min. number of commits between two snapshots; a hundredth of the versions, if that is more. */
const MIN_BETWEEN_SNAPSHOTS = 100;
/** Milliseconds between two questions which commit is the newest, while nothing is written. */
const CONFIRM_EVERY_MS = 60_000;

interface ReplicaOptions {
  /** Milliseconds between two looks for commits of other nodes. */
  readonly pollMs: number;
  /** Receives warnings: the store is out of reach, or the log broken; and that this is over. */
  readonly report: (message: string, fields: object) => void;
  /** Min. number of commits between two snapshots. Default 100. */
  readonly minBetweenSnapshots?: number;
}

/** This node's copy of the store's state. Follows the log, and adds to it. */
export class Replica {
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  private onPurged: (revisions: readonly string[]) => void = () => {};
  /** Queue of work on the log. */
  private readonly mutex = new KeyedMutex();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  /** Why the last look at the log failed; undefined when it did not. */
  problem: Error | undefined;
  /**
   * Why this node does not trust what it knows; undefined when it does. Then it serves what it knows, and writes and deletes
   * nothing, until a look at the log finds it whole again.
   */
  doubt: LogBroken | undefined;
  /** Time of the last answer to which commit is the newest, by `performance.now`. */
  private confirmedAt = 0;
  private snapshotAt: number;

  private constructor(
    private readonly log: CommitLog,
    private readonly snapshots: Pick<Snapshots, 'write'>,
    private readonly state: StoreState,
    private readonly options: ReplicaOptions,
  ) {
    this.snapshotAt = state.number;
  }

  /**
   * Reads the state, and follows the log until `close`. Opens a broken log as well, see `doubt`.
   * @throws StoreError; UnknownFormat
   */
  static async open(
    log: CommitLog,
    snapshots: Pick<Snapshots, 'read' | 'write'>,
    options: ReplicaOptions,
  ): Promise<Replica> {
    const replica = new Replica(log, snapshots, await snapshots.read(), options);
    await replica.confirm().catch((error: unknown) => replica.doubtOrThrow(error));
    replica.schedule();
    return replica;
  }

  /**
   * The published versions, as far as this node knows.
   * @throws Refusal `unavailable` when there is a commit that this program does not understand
   */
  get catalogue(): Catalogue {
    if (this.problem instanceof UnknownFormat) {
      throw refuse.storageUnavailable({ cause: this.problem }, STORE);
    }
    return this.state.catalogue;
  }

  /** @throws LogBroken */
  assertWhole(): void {
    if (this.doubt !== undefined) throw this.doubt;
  }

  /** @throws StoreUnavailable while the store is known to be out of reach: each request would wait for as long */
  assertInReach(): void {
    if (this.problem instanceof StoreUnavailable) throw this.problem;
  }

  get current(): Readonly<Omit<StoreState, 'apply' | 'catalogue'>> {
    return this.state;
  }

  /** The time, by a clock that is right. */
  now(): Date {
    return this.log.now();
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls a listener with the revisions that a commit purges, whichever node made it. */
  whenPurged(listener: (revisions: readonly string[]) => void): void {
    this.onPurged = listener;
  }

  /**
   * Applies all commits of other nodes.
   * @param toNewest whether to ask as well which commit is the newest
   * @throws StoreError; UnknownFormat; LogBroken when it sees that
   */
  follow(toNewest = false): Promise<void> {
    return this.inTurn(() => this.catchUp(toNewest));
  }

  /**
   * Changes the state of the store by one commit.
   * @param decide gives the change for the state before it, or the refusal; called again when another node was faster
   * @returns the change that was made
   * @throws what `decide` gives or throws; LogBroken, and nothing is changed; StoreUnavailable, after which the change may have been
   *   made
   */
  change<Made extends Change>(
    decide: (state: StoreState) => Made | Refusal | undefined,
  ): Promise<Made | undefined> {
    return this.inTurn(async () => {
      for (;;) {
        // A commit must not fill a hole.
        await this.catchUp(true);
        const change = decide(this.state);
        if (change === undefined) return undefined;
        if (change instanceof Refusal) throw change;
        const commit = commitOf(randomUUID(), this.log.now(), change, this.state.nonce);
        if (await this.log.create(this.state.number + 1, commit)) {
          this.apply(commit);
          // The commit is made. The next one leaves a mark as well.
          await this.log.mark(this.state.number).catch(() => {});
          this.snapshotIfDue();
          return change;
        }
      }
    });
  }

  /** Ends following. Waits for what is under way. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.inTurn(async () => {});
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.mutex.run('log', work);
  }

  /** Does what `follow` does, and notes whether the store is in reach, and the log whole. */
  private async catchUp(toNewest: boolean): Promise<void> {
    const isDue = this.doubt !== undefined || performance.now() - this.confirmedAt >= CONFIRM_EVERY_MS;
    try {
      await (toNewest || isDue ? this.confirm() : this.applyNew());
      if (this.doubt !== undefined) this.options.report('the log of the object store is complete again', {});
      this.doubt = undefined;
    } catch (error) {
      if (error instanceof LogBroken) {
        this.backInReach();
        this.doubtOrThrow(error);
        throw error;
      }
      const problem = error instanceof Error ? error : new Error(String(error));
      // Once, not each second.
      if (this.problem?.name !== problem.name) this.options.report(reasonOf(problem), { err: problem });
      this.problem = problem;
      throw error;
    }
    this.backInReach();
  }

  private backInReach(): void {
    if (this.problem !== undefined) this.options.report('the object store is reachable again', {});
    this.problem = undefined;
  }

  /** Takes a broken log for doubt. @throws any other error */
  private doubtOrThrow(error: unknown): void {
    if (!(error instanceof LogBroken)) throw error;
    // Once, not each second.
    if (this.doubt === undefined) this.options.report(error.message, {});
    this.doubt = error;
  }

  /** Applies all commits that are new. @throws LogBroken when the newest commit is not one of them */
  private async confirm(): Promise<void> {
    await this.applyNew();
    const { listed, marked } = await this.log.newest();
    const newest = Math.max(listed, marked);
    // Another node may have made it just now.
    if (newest > this.state.number) await this.applyNew();
    const { number } = this.state;
    if (newest > number) {
      const what = listed > number ? `commit ${listed} exists` : `the log had a commit ${marked}`;
      throw new LogBroken(`commit ${number + 1} of the log is missing, but ${what}`);
    }
    this.confirmedAt = performance.now();
  }

  /** Reads the last known commit and the next one, and more at a time the more there are. @throws LogBroken */
  private async applyNew(): Promise<void> {
    for (let count = 1; ; count = Math.min(2 * count, MAX_READ_AT_ONCE)) {
      const { number } = this.state;
      const numbers = Array.from({ length: count + 1 }, (_, index) => number + index);
      const [known, ...commits] = await Promise.all(
        numbers.map((each) => (each === 0 ? undefined : this.log.read(each))),
      );
      this.assertUnchanged(known);
      for (const commit of commits) {
        if (commit === undefined) return;
        this.assertNext(commit);
        this.apply(commit);
      }
    }
  }

  /** @param commit the last commit that this node knows, as it is now @throws LogBroken */
  private assertUnchanged(commit: Commit | undefined): void {
    const { number, nonce } = this.state;
    if (number === 0) return;
    if (commit === undefined) throw new LogBroken(`commit ${number} of the log is missing`);
    if (commit.nonce !== nonce) {
      throw new LogBroken(
        `commit ${number} of the log differs from the one this server knows: the log was replaced or rolled back`,
      );
    }
  }

  /** @throws LogBroken when a commit was not made after the last one that this node knows */
  private assertNext({ previous }: Commit): void {
    const { number, nonce } = this.state;
    if (previous === nonce) return;
    throw new LogBroken(
      `commit ${number + 1} of the log does not follow commit ${number}: the log was replaced, or a missing commit was filled in`,
    );
  }

  private apply(commit: Commit): void {
    const change = this.state.apply(commit);
    if (commit.change.kind === 'purge') this.onPurged(commit.change.revisions);
    if (change.came.length + change.gone.length + change.settings.length === 0) return;
    for (const listener of this.listeners) listener(change);
  }

  private snapshotIfDue(): void {
    const { number, size } = this.state;
    const { minBetweenSnapshots = MIN_BETWEEN_SNAPSHOTS } = this.options;
    if (number - this.snapshotAt < Math.max(minBetweenSnapshots, size / 100)) return;
    this.snapshotAt = number;
    // In turn: the next change waits, and `close` too. A failure is made good by the next snapshot.
    const write = async () => {
      if (this.doubt === undefined) await this.snapshots.write(this.state);
    };
    void this.inTurn(write).catch((error: unknown) => {
      this.options.report('could not write a snapshot of the log', { err: error });
    });
  }

  private schedule(): void {
    if (this.isClosed) return;
    const look = () =>
      this.follow()
        .catch(() => {})
        .finally(() => this.schedule());
    this.timer = setTimeout(look, this.options.pollMs);
    this.timer.unref();
  }
}

const STORE = 'The object store';

function reasonOf(problem: Error): string {
  if (!(problem instanceof StoreError)) return problem.message;
  return 'the object store is unreachable; serving cached content and refusing uploads';
}
