import { buffer } from 'node:stream/consumers';
import type { ObjectClient } from '../client/object-client.js';
import { StoreUnavailable } from '../client/store-errors.js';
import { keys } from '../keys.js';
import { type Commit, parseCommit } from './commit.js';

/** Max. attempts to create one commit; the client repeats each of them a few times itself. */
const MAX_ATTEMPTS = 3;

/**
 * Log of all changes to a store: numbered commits, each an object that is created once and never changed or removed. The
 * number decides: of all writers that create commit n, one succeeds. Nothing is ever decided by a listing.
 */
export class CommitLog {
  /** The commit of an only writer whose put has failed: it may still arrive, and overwrite another one. */
  private unsure: { readonly number: number; readonly commit: Commit } | undefined;

  constructor(
    private readonly client: ObjectClient,
    /** Whether this is the only writer, of a store that cannot create objects exclusively. */
    private readonly isOnlyWriter = false,
  ) {}

  /**
   * Reads a commit; undefined when there is none with this number.
   * @throws UnknownFormat; StoreError
   */
  async read(number: number): Promise<Commit | undefined> {
    const object = await this.client.get(keys.commit(number));
    return object && parseCommit((await buffer(object.body)).toString('utf8'), number);
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
      await this.client.put(keys.commit(number), bytesOf(next));
      this.unsure = undefined;
      return next === commit;
    }
    if ((await this.createExclusively(number, commit)) === 'created') return true;
    // An attempt whose answer was lost may have created it.
    const existing = await this.read(number);
    if (existing === undefined)
      throw new StoreUnavailable(`the store says that commit ${number} exists, but has none`);
    return existing.nonce === commit.nonce;
  }

  private async createExclusively(number: number, commit: Commit): Promise<'created' | 'exists'> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.client.create(keys.commit(number), bytesOf(commit));
      } catch (error) {
        // Always with the same number: whether the failed attempt created the commit is not known.
        if (!(error instanceof StoreUnavailable) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }
}

function bytesOf(commit: Commit): Buffer {
  return Buffer.from(`${JSON.stringify(commit)}\n`);
}
