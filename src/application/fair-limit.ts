import { FairQueue, type Refusal } from '../domain/index.js';
import type { Waiter } from './ports/waiter.js';

export interface FairLimitOptions {
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
