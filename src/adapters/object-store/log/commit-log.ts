import { textOf } from '../../../application/index.js';
import { judgeByStore } from '../../../domain/index.js';
import type { ObjectClient } from '../client/object-client.js';
import { StoreUnavailable } from '../client/store-errors.js';
import { commitOfKey, keys, PREFIXES } from '../keys.js';
import { type Commit, parseCommit } from './commit.js';

/** Max. attempts to create one commit; the client repeats each of them a few times itself. */
const MAX_ATTEMPTS = 3;

/**
 * Log of all changes to a store: numbered commits, each an object that is created once and never changed or removed. The
 * number decides: of all writers that create commit n, one succeeds. A listing never decides who commits: `newest` only
 * raises doubt.
 */
export class CommitLog {
  /** The commit of an only writer whose put has failed: it may still arrive, and overwrite another one. */
  private unsure: { readonly number: number; readonly commit: Commit } | undefined;

  constructor(
    private readonly client: ObjectClient,
    /** Whether this is the only writer, of a store that cannot create objects exclusively. */
    private readonly isOnlyWriter = false,
  ) {}

  /** The time for a commit: that of this machine, or of the store where this machine's clock is wrong. */
  now(): Date {
    const own = new Date();
    const storeMs = this.client.time();
    if (storeMs === undefined || judgeByStore(own, storeMs).kind === 'believed') return own;
    return new Date(storeMs);
  }

  /**
   * Reads a commit; undefined when there is none with this number.
   * @throws UnknownFormat; StoreError
   */
  async read(number: number): Promise<Commit | undefined> {
    const object = await this.client.get(keys.commit(number));
    return object && parseCommit(await textOf(object.body), number);
  }

  /**
   * Creates a commit.
   * @returns whether it is in the log; otherwise there is another one with this number
   * @throws StoreUnavailable when that is not known: the commit may be in the log, or still get there
   */
  async create(number: number, commit: Commit): Promise<boolean> {
    if (this.isOnlyWriter) {
      if ((await this.read(number)) !== undefined) return false;
      const next = this.unsure?.number === number ? this.unsure.commit : commit;
      this.unsure = { number, commit: next };
      await this.client.put(keys.commit(number), lineOf(next));
      this.unsure = undefined;
      return next === commit;
    }
    if ((await this.createExclusively(number, commit)) === 'created') return true;
    // An attempt whose answer was lost may have created it.
    const existing = await this.read(number);
    if (existing === undefined)
      throw new StoreUnavailable(`the store reports that commit ${number} exists, but does not have it`);
    return existing.nonce === commit.nonce;
  }

  /**
   * Returns the numbers of the newest commit: that of the listing, and that which a writer has left with `mark`. The second
   * one tells of commits that are lost at the end of the log; it may be a few commits late. 0 when there is none.
   * @throws StoreError
   */
  async newest(): Promise<{ readonly listed: number; readonly marked: number }> {
    const [listed, marked] = await Promise.all([this.listed(), this.marked()]);
    return { listed, marked };
  }

  /** Leaves the number of the newest commit outside of the log. @throws StoreError */
  async mark(number: number): Promise<void> {
    await this.client.put(keys.head, Buffer.from(`${number}\n`));
  }

  private async listed(): Promise<number> {
    // Numbers count down, so the newest is the first. All are listed only where something else comes before it.
    for (const listing of [{ max: 1 }, {}]) {
      let isEmpty = true;
      for await (const { key } of this.client.list(PREFIXES.log, listing)) {
        const number = commitOfKey(key);
        if (number !== undefined) return number;
        isEmpty = false;
      }
      if (isEmpty) break;
    }
    return 0;
  }

  private async marked(): Promise<number> {
    const object = await this.client.get(keys.head);
    const text = object && (await textOf(object.body));
    return Number(/^(\d{1,9})\n$/.exec(text ?? '')?.[1] ?? 0);
  }

  private async createExclusively(number: number, commit: Commit): Promise<'created' | 'exists'> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.client.create(keys.commit(number), lineOf(commit));
      } catch (error) {
        // Always with the same number: whether the failed attempt created the commit is not known.
        if (!(error instanceof StoreUnavailable) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function lineOf(commit: Commit): Buffer {
  return Buffer.from(`${JSON.stringify(commit)}\n`);
}

/**
 * The log is not the one that this node has read, or has a hole. The node's state may be wrong, so nothing may be deleted
 * or written because of it. The message is a sentence for operators.
 */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';

  /** @param seen what is wrong, as a part of a sentence */
  constructor(seen: string) {
    super(
      `${seen}; nothing can be published, changed or deleted until the log of the object store is complete again: see 'When the log is broken' in docs/object-store.md`,
    );
  }
}
