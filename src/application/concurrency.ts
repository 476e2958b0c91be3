import { FairQueue, type Refusal } from '../domain/index.js';
import type { Waiter } from './ports/waiter.js';

/** Queues work by key: work on one key is sequential, work on different keys concurrent. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  /** @param keyOf maps a name to the key of its queue; by default the name itself */
  constructor(readonly keyOf: (name: string) => string = (name) => name) {}

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = this.keyOf(name);
    const before = this.tails.get(key);
    const result = before === undefined ? work() : before.then(work, work);
    this.tails.set(key, result);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === result) this.tails.delete(key);
    }
  }
}

interface Running<Result> {
  readonly result: Promise<Result>;
  readonly abort: AbortController;
  waiting: number;
}

/** Work by key that runs once for everybody who asks for it meanwhile, and is told when nobody waits for it any more. */
export class SharedWork<Result> {
  private running = new Map<string, Running<Result>>();

  /**
   * Returns the result of the work that runs under a key, and starts it where none does.
   * @param signal ends waiting; undefined waits until the end
   * @throws what the work throws; the reason of the signal
   */
  async of(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const shared = this.running.get(key) ?? this.start(key, work);
    shared.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          this.end(key, shared);
          shared.abort.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      shared.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  }

  /** Shares nothing with those who ask from now on. */
  forget(): void {
    this.running = new Map();
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<Result>): Running<Result> {
    const abort = new AbortController();
    const shared = { result: work(abort.signal), abort, waiting: 0 };
    this.running.set(key, shared);
    shared.result.catch(() => {}).finally(() => this.end(key, shared));
    return shared;
  }

  private end(key: string, shared: Running<Result>): void {
    if (this.running.get(key) === shared) this.running.delete(key);
  }
}

interface FairLimitOptions {
  /** Max. work that runs at once; one less for each address, where there are two places. */
  readonly running: number;
  /** Max. work that waits. Beyond it, the address that has most waiting gets the refusal. */
  readonly waiting: number;
  readonly refusal: () => Refusal;
}

interface Waiting {
  readonly address: string;
  readonly admit: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Limit on work that runs at once. More of it waits in a fair queue, in which client addresses take turns. */
export class FairLimit {
  /** Addresses of the work that runs. */
  private readonly running: string[] = [];
  private readonly line = new FairQueue<Waiting>();

  constructor(private readonly options: FairLimitOptions) {}

  /**
   * Does work when its turn comes.
   * @throws what the work throws; the refusal where too much waits; the reason of the signal, if it is aborted before that turn
   */
  async run<Result>(work: () => Promise<Result>, { address = '', signal }: Waiter = {}): Promise<Result> {
    signal?.throwIfAborted();
    if (this.mayRun(address)) this.running.push(address);
    else await this.turn(address, signal);
    try {
      return await work();
    } finally {
      this.running.splice(this.running.indexOf(address), 1);
      this.admitNext();
    }
  }

  private mayRun(address: string): boolean {
    const { running: max } = this.options;
    const own = this.running.filter((each) => each === address).length;
    return this.running.length < max && own < Math.max(1, max - 1);
  }

  private turn(address: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.line.size >= this.options.waiting) {
      const refused = this.line.makeRoomFor(address);
      if (refused === undefined) throw this.options.refusal();
      refused.refuse(this.options.refusal());
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { address, admit: resolve, refuse: reject };
      this.line.add(address, waiting);
      signal?.addEventListener(
        'abort',
        () => {
          if (this.line.remove(waiting)) reject(signal.reason);
        },
        { once: true },
      );
    });
  }

  private admitNext(): void {
    const mayRun = ({ address }: Waiting) => this.mayRun(address);
    for (let next = this.line.next(mayRun); next !== undefined; next = this.line.next(mayRun)) {
      this.running.push(next.address);
      next.admit();
    }
  }
}

/** Returns the result of work, or undefined when it takes longer than a time in milliseconds; then it goes on. @throws what the work throws */
export async function within<T>(ms: number, work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Lets others have their turn: what has arrived meanwhile is answered first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
