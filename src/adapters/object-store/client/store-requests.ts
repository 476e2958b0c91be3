import type { StoreObserver, StoreRequest } from '../../../application/index.js';
import type { StoreAddress } from './store-address.js';
import { StoreRefused, StoreUnavailable, StoreUnsupported, translateError } from './store-errors.js';

type Operation = StoreRequest['operation'];

/** The requests of one client: names their objects, translates their errors, tells the observer, ends them on `close`. */
export class StoreRequests {
  readonly bucket: string;
  readonly prefix: string;
  readonly #onRequest: StoreObserver;
  readonly #underWay = new Set<AbortController>();
  #closed = false;

  constructor({ bucket, prefix }: StoreAddress, onRequest: StoreObserver = () => {}) {
    this.bucket = bucket;
    this.prefix = prefix;
    this.#onRequest = onRequest;
  }

  /** The object of a key, for the SDK. */
  object(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: this.prefix + key };
  }

  /** A request, for messages. */
  describe(operation: string, key: string): string {
    return `${operation} of '${this.prefix}${key}' in the bucket '${this.bucket}'`;
  }

  /**
   * Runs one request.
   * @param controller ends the request; not observed then, unless `close` did it
   * @throws StoreError, or what `act` throws on its own account
   */
  async run<Answer>(
    operation: Operation,
    key: string,
    act: (signal: AbortSignal) => Promise<Answer>,
    resultOf: (answer: Answer) => StoreRequest['result'] = () => 'ok',
    controller = new AbortController(),
  ): Promise<Answer> {
    const began = performance.now();
    let result: StoreRequest['result'] = 'failed';
    this.hold(controller);
    try {
      if (this.#closed) controller.abort();
      const answer = await act(controller.signal);
      result = resultOf(answer);
      return answer;
    } catch (error) {
      const what = this.describe(operation, key);
      if (this.#closed) throw new StoreUnavailable(`the client of the store is closed (${what})`);
      const translated = translateError(error, what);
      if (translated instanceof StoreRefused || translated instanceof StoreUnsupported) result = 'refused';
      throw translated;
    } finally {
      this.release(controller);
      if (this.#closed || !controller.signal.aborted) {
        this.#onRequest({ operation, result, seconds: (performance.now() - began) / 1000 });
      }
    }
  }

  /** Lets `close` end a request, or the body of its answer. */
  hold(controller: AbortController): void {
    this.#underWay.add(controller);
  }

  release(controller: AbortController): void {
    this.#underWay.delete(controller);
  }

  close(): void {
    this.#closed = true;
    for (const controller of this.#underWay) controller.abort();
  }
}
