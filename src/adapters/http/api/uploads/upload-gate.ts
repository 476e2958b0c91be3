import { counted, FairQueue, quote } from '../../../../domain/index.js';
import { unavailable } from '../../errors.js';

interface UploadGateOptions {
  /** Max. concurrent uploads; one fewer for each token. */
  readonly maxUploads?: number | undefined;
  /** Max. uploads that wait for a place; 0 refuses them at once. */
  readonly maxWaiting?: number | undefined;
  /** Max. time that an upload waits for a place, in milliseconds. */
  readonly waitMs?: number | undefined;
}

/** An upload that asks for a place. */
interface Arrival {
  /** Name of its token. */
  readonly token: string;
  /** Aborted when its client has left, with the error to throw. */
  readonly left: AbortSignal;
  /** Called with the milliseconds that it had to wait, with or without success; not called when it had not to. */
  readonly waited: (ms: number) => void;
}

interface Waiting {
  readonly token: string;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Number of the last uploads whose durations tell how long a place is taken. */
const MAX_MEASURED = 25;
/** Bounds of `Retry-After`, and its value while no upload has been measured, in seconds. */
const RETRY_AFTER = { min: 1, unknown: 5, max: 60 };

/**
 * Limits concurrent uploads, in total and per token. Further ones wait in a line in which tokens take turns; nothing of
 * their bodies is read meanwhile. None is let in any more while the server shuts down.
 */
export class UploadGate {
  /** Names of the tokens of running uploads. */
  private readonly tokens: string[] = [];
  private readonly line = new FairQueue<Waiting>();
  /** Milliseconds that the last uploads took, without their waits. */
  private readonly durations: number[] = [];
  private readonly max: number;
  private readonly maxForToken: number;
  private readonly maxWaiting: number;
  private readonly waitMs: number;
  private closed = false;

  constructor({ maxUploads = 4, maxWaiting = 200, waitMs = 45_000 }: UploadGateOptions = {}) {
    this.max = maxUploads;
    // Leaves one place for other tokens, if there are two.
    this.maxForToken = Math.max(1, maxUploads - 1);
    this.maxWaiting = maxWaiting;
    this.waitMs = waitMs;
  }

  /** Number of running uploads. */
  get running(): number {
    return this.tokens.length;
  }

  /** Number of uploads that wait for a place. */
  get waiting(): number {
    return this.line.size;
  }

  /**
   * Runs `work` in a place of its own, at once or when its turn comes.
   * @throws HttpFault `unavailable`, before anything of the body is read
   */
  async through<T>(arrival: Arrival, work: () => Promise<T>): Promise<T> {
    if (this.closed) throw shuttingDown();
    const { token } = arrival;
    if (this.hasPlaceFor(token)) this.tokens.push(token);
    else await this.wait(arrival);
    const begun = performance.now();
    try {
      return await work();
    } finally {
      this.durations.push(performance.now() - begun);
      if (this.durations.length > MAX_MEASURED) this.durations.shift();
      this.tokens.splice(this.tokens.indexOf(token), 1);
      this.letIn();
    }
  }

  /** Refuses those that wait, and those to come. */
  close(): void {
    this.closed = true;
    for (let next = this.line.next(); next !== undefined; next = this.line.next())
      next.refuse(shuttingDown());
  }

  private hasPlaceFor(token: string): boolean {
    return this.running < this.max && this.runningOf(token) < this.maxForToken;
  }

  private runningOf(token: string): number {
    return this.tokens.filter((each) => each === token).length;
  }

  /** Waits for a place, which is taken then. */
  private async wait({ token, left, waited }: Arrival): Promise<void> {
    left.throwIfAborted();
    this.makeRoomFor(token);
    const begun = performance.now();
    let stopWatching = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        const waiting: Waiting = { token, admit: resolve, refuse: reject };
        this.line.add(token, waiting);
        const giveUp = (error: unknown) => {
          if (this.line.remove(waiting)) reject(error);
        };
        const timer = setTimeout(() => {
          giveUp(this.unavailable(`The upload could not start within ${this.waitMs / 1_000} seconds`));
        }, this.waitMs);
        const leave = () => giveUp(left.reason);
        left.addEventListener('abort', leave);
        stopWatching = () => {
          clearTimeout(timer);
          left.removeEventListener('abort', leave);
        };
      });
    } finally {
      stopWatching();
      waited(performance.now() - begun);
    }
  }

  /** Gives free places to those whose turn it is. */
  private letIn(): void {
    const mayGo = ({ token }: Waiting) => this.hasPlaceFor(token);
    for (let next = this.line.next(mayGo); next !== undefined; next = this.line.next(mayGo)) {
      this.tokens.push(next.token);
      next.admit();
    }
  }

  /** In a full line, the token with most uploads gives up its last one for a token with fewer. */
  private makeRoomFor(token: string): void {
    if (this.line.size < this.maxWaiting) return;
    const last = this.line.makeRoomFor(token);
    if (last === undefined) throw this.lineIsFull(token);
    last.refuse(this.lineIsFull(last.token));
  }

  private lineIsFull(token: string): Error {
    const waiting = this.waiting === 0 ? '' : `, and ${this.waiting} are waiting`;
    const busy =
      this.runningOf(token) < this.maxForToken
        ? 'Too many uploads are running at once'
        : `Token ${quote(token)} has ${counted(this.maxForToken, 'upload')} running, the maximum for one token`;
    return this.unavailable(`${busy}${waiting}`);
  }

  private unavailable(why: string): Error {
    return unavailable(`${why}; try again in a few seconds`, this.retryAfterSeconds());
  }

  /** Time until who comes now would have a place, from the line's length and the median of the last durations. */
  private retryAfterSeconds(): number {
    const sorted = this.durations.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    if (median === undefined) return RETRY_AFTER.unknown;
    const seconds = Math.ceil(((this.waiting + 1) * median) / this.max / 1_000);
    return Math.min(Math.max(seconds, RETRY_AFTER.min), RETRY_AFTER.max);
  }
}

function shuttingDown(): Error {
  return unavailable('The server is shutting down; try again in a few seconds');
}
