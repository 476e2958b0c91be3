import { type Commit, UnknownFormat } from '../log/commit.js';
import type { CommitLog } from '../log/commit-log.js';
import { StoreState } from '../log/store-state.js';
import { MAX_FAULTS } from './store-check.js';

/** Commits that are read at once. */
const READ_AT_ONCE = 32;

/** Reads the log commit by commit, and notes those that are missing or not understood. */
export class LogReplay {
  /** Sentences about the log; empty when there is nothing wrong with it. */
  readonly faults: string[] = [];

  /** @param state to begin with; the empty one for the whole log */
  constructor(
    private readonly log: CommitLog,
    readonly state = StoreState.empty(),
    private read = state.number,
  ) {}

  /** Whether `state` is what the commits read so far make of it. After a fault, no commit can be applied. */
  get isComplete(): boolean {
    return this.faults.length === 0;
  }

  /** Reads all commits up to this number, whether or not they are there. @throws StoreError */
  async readTo(last: number, signal?: AbortSignal): Promise<void> {
    while (this.read < last && this.faults.length < MAX_FAULTS) {
      signal?.throwIfAborted();
      const count = Math.min(READ_AT_ONCE, last - this.read);
      const numbers = Array.from({ length: count }, (_, index) => this.read + 1 + index);
      const commits = await Promise.all(numbers.map((number) => this.commit(number)));
      for (const [index, commit] of commits.entries()) this.take(commit, numbers[index] ?? 0);
    }
  }

  /** Reads further commits until there is none. @throws StoreError */
  async follow(): Promise<void> {
    while (this.isComplete) {
      const commit = await this.commit(this.read + 1);
      if (commit === undefined) return;
      this.take(commit, this.read + 1);
    }
  }

  private async commit(number: number): Promise<Commit | UnknownFormat | undefined> {
    return this.log.read(number).catch((error: unknown) => {
      if (error instanceof UnknownFormat) return error;
      throw error;
    });
  }

  private take(commit: Commit | UnknownFormat | undefined, number: number): void {
    this.read = number;
    if (commit === undefined) this.faults.push(`commit ${number} is missing`);
    else if (commit instanceof UnknownFormat) this.faults.push(commit.message);
    else if (this.isComplete) this.state.apply(commit);
  }
}
