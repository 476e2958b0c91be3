import type { SearchAnswer } from '../../application/index.js';
import { RecentlyUsed } from '../../domain/index.js';

/** Max. characters of kept answers, about. */
const MAX_CHARACTERS = 4_000_000;
/** What a kept answer takes besides its texts, in characters. */
const OVERHEAD = 500;

/** A search that runs for everybody who asks the same meanwhile. */
interface SharedSearch {
  readonly answer: Promise<SearchAnswer>;
  readonly abort: AbortController;
  waiting: number;
}

/** Answers the same question once: while its search runs, and as long as nothing was built or dropped since. */
export class SharedAnswers {
  private kept = noAnswers();
  private running = new Map<string, SharedSearch>();

  /**
   * Returns the answer to a question. Its search ends when nobody waits for it any more.
   * @param question everything that the answer depends on
   * @throws what `search` throws; the reason of the signal
   */
  async ask(
    question: string,
    signal: AbortSignal | undefined,
    search: (signal: AbortSignal) => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    signal?.throwIfAborted();
    const kept = this.kept.get(question);
    if (kept !== undefined) return kept;
    const shared = this.running.get(question) ?? this.start(question, search);
    shared.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        shared.waiting -= 1;
        if (shared.waiting === 0) {
          this.end(question, shared);
          shared.abort.abort(signal?.reason);
        }
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      shared.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  }

  /** Answers nothing any more from what has been found, or is being searched for, until now. */
  forget(): void {
    this.kept = noAnswers();
    this.running = new Map();
  }

  private start(question: string, search: (signal: AbortSignal) => Promise<SearchAnswer>): SharedSearch {
    const { kept } = this;
    const abort = new AbortController();
    const answer = search(abort.signal);
    const shared = { answer, abort, waiting: 0 };
    this.running.set(question, shared);
    answer
      .then((found) => {
        // After `forget` nobody looks into this cache.
        if (found.missing.length === 0 && found.incomplete !== true) kept.set(question, found);
      })
      .catch(() => {})
      .finally(() => this.end(question, shared));
    return shared;
  }

  private end(question: string, shared: SharedSearch): void {
    if (this.running.get(question) === shared) this.running.delete(question);
  }
}

function noAnswers(): RecentlyUsed<SearchAnswer> {
  return new RecentlyUsed(MAX_CHARACTERS, ({ results }) =>
    results.reduce(
      (sum, { path, title, heading = '', snippet, way = [] }) =>
        sum +
        OVERHEAD +
        path.length +
        title.length +
        heading.length +
        way.join('').length +
        lengthOf(snippet),
      OVERHEAD,
    ),
  );
}

function lengthOf(snippet: SearchAnswer['results'][number]['snippet']): number {
  return snippet.reduce((sum, { text }) => sum + text.length, 0);
}
