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
