import { type SearchAnswer, SharedWork } from '../../application/index.js';
import { LruCache } from '../../domain/index.js';

/** Max. characters of kept answers, about. */
const MAX_CHARACTERS = 4_000_000;
/** What a kept answer takes besides its texts, in characters. */
const OVERHEAD = 500;

/** Answers the same question once: while its search runs, and as long as nothing was built or dropped since. */
export class SharedAnswers {
  private kept = noAnswers();
  private readonly running = new SharedWork<SearchAnswer>();

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
    return (
      this.kept.get(question) ??
      this.running.of(question, signal, async (stillAsked) => {
        const { kept } = this;
        const found = await search(stillAsked);
        // After `forget` nobody looks into this cache.
        if (found.missing.length === 0 && found.incomplete !== true) kept.set(question, found);
        return found;
      })
    );
  }

  /** Answers nothing any more from what has been found, or is being searched for, until now. */
  forget(): void {
    this.kept = noAnswers();
    this.running.forget();
  }
}

function noAnswers(): LruCache<SearchAnswer> {
  return new LruCache(MAX_CHARACTERS, ({ results }) =>
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
