import { randomUUID } from 'node:crypto';
import type { CatalogueChange } from '../../../application/index.js';
import { type Catalogue, refuse } from '../../../domain/index.js';
import { StoreError, StoreUnavailable } from '../client/store-errors.js';
import { type Change, type Commit, commitOf, UnknownFormat } from './commit.js';
import type { CommitLog } from './commit-log.js';
import type { Snapshots } from './snapshots.js';
import type { StoreState } from './store-state.js';

/** Max. commits that are read at once when there are many. */
const MAX_READ_AT_ONCE = 32;
/** Min. number of commits between two snapshots; a hundredth of the versions, if that is more. */
const MIN_BETWEEN_SNAPSHOTS = 100;

export interface ReplicaOptions {
  /** Milliseconds between two looks for commits of other nodes. */
  readonly pollMs: number;
  /** Receives warnings: the store is out of reach, or there again. */
  readonly report: (message: string, fields: object) => void;
}

/** This node's copy of the store's state. Follows the log, and adds to it. */
export class Replica {
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  private onPurged: (revisions: readonly string[]) => void = () => {};
  /** Tail of the queue of work on the log. */
  private tail: Promise<unknown> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private outOfReach: Error | undefined;
  private snapshotAt: number;

  private constructor(
    private readonly log: CommitLog,
    private readonly snapshots: Snapshots,
    private readonly state: StoreState,
    private readonly options: ReplicaOptions,
  ) {
    this.snapshotAt = state.number;
  }

  /** Reads the state, and follows the log until `close`. @throws StoreError; UnknownFormat */
  static async open(log: CommitLog, snapshots: Snapshots, options: ReplicaOptions): Promise<Replica> {
    const replica = new Replica(log, snapshots, await snapshots.read(), options);
    await replica.applyNew();
    replica.schedule();
    return replica;
  }

  /**
   * The published versions, as far as this node knows.
   * @throws Refusal `unavailable` when there is a commit that this program does not understand
   */
  get catalogue(): Catalogue {
    if (this.outOfReach instanceof UnknownFormat) {
      throw refuse.storageUnavailable({ cause: this.outOfReach }, STORE);
    }
    return this.state.catalogue;
  }

  /** Why the last look at the log failed; undefined when it did not. */
  get problem(): Error | undefined {
    return this.outOfReach;
  }

  /** @throws StoreUnavailable while the store is known to be out of reach: each request would wait for as long */
  assertInReach(): void {
    if (this.outOfReach instanceof StoreUnavailable) throw this.outOfReach;
  }

  get current(): Pick<StoreState, 'number' | 'retired' | 'isPublished' | 'isKnown' | 'record'> {
    return this.state;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls a listener with the revisions that a commit purges, whichever node made it. */
  whenPurged(listener: (revisions: readonly string[]) => void): void {
    this.onPurged = listener;
  }

  /** Applies all commits of other nodes. @throws StoreError; UnknownFormat */
  follow(): Promise<void> {
    return this.inTurn(() => this.catchUp());
  }

  /**
   * Changes the state of the store by one commit.
   * @param decide gives the change for the state before it, or throws why there is none; called again when another node
   *   was faster
   * @throws what `decide` throws; StoreUnavailable, after which the change may have been made
   */
  change(decide: (state: StoreState) => Change | undefined): Promise<void> {
    return this.inTurn(async () => {
      for (;;) {
        await this.catchUp();
        const change = decide(this.state);
        if (change === undefined) return;
        const commit = commitOf(randomUUID(), new Date(), change);
        if (await this.log.create(this.state.number + 1, commit)) {
          this.apply(commit);
          this.snapshotIfDue();
          return;
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
    const result = this.tail.then(work, work);
    this.tail = result.catch(() => {});
    return result;
  }

  /** Applies all commits that are new. Notes whether the store is in reach. @throws StoreError; UnknownFormat */
  private async catchUp(): Promise<void> {
    try {
      await this.applyNew();
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error));
      // Once, not each second.
      if (this.outOfReach?.name !== problem.name) this.options.report(reasonOf(problem), { err: problem });
      this.outOfReach = problem;
      throw error;
    }
    if (this.outOfReach !== undefined) this.options.report('the object store is in reach again', {});
    this.outOfReach = undefined;
  }

  /** Reads one commit, and more at a time the more there are. */
  private async applyNew(): Promise<void> {
    for (let count = 1; ; count = Math.min(2 * count, MAX_READ_AT_ONCE)) {
      const first = this.state.number + 1;
      const numbers = Array.from({ length: count }, (_, index) => first + index);
      const commits = await Promise.all(numbers.map((number) => this.log.read(number)));
      for (const commit of commits) {
        if (commit === undefined) return;
        this.apply(commit);
      }
    }
  }

  private apply(commit: Commit): void {
    const change = this.state.apply(commit);
    if (commit.change.kind === 'purge') this.onPurged(commit.change.revisions);
    if (change.came.length + change.gone.length + change.settings.length === 0) return;
    for (const listener of this.listeners) listener(change);
  }

  private snapshotIfDue(): void {
    const { number, size } = this.state;
    if (number - this.snapshotAt < Math.max(MIN_BETWEEN_SNAPSHOTS, size / 100)) return;
    this.snapshotAt = number;
    // In turn: the next change waits, and `close` too. A failure is made good by the next snapshot.
    void this.inTurn(() => this.snapshots.write(this.state)).catch((error: unknown) => {
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
  return 'the object store is out of reach; what is cached is served, and uploads are refused';
}
