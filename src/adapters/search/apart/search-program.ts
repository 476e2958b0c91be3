/** The thread that searches. */
import { parentPort } from 'node:worker_threads';
import type { SearchAnswer, SearchOptions } from '../../../application/index.js';
import { type SearchedRevision, Searcher } from '../finding/searcher.js';

export type ToThread =
  | {
      readonly id: number;
      readonly query: string;
      readonly live: readonly SearchedRevision[];
      readonly options: SearchOptions;
    }
  | { readonly forget: string };
/** Errors lose their own fields in a message between threads. */
export type FromThread =
  | { readonly id: number; readonly answer: SearchAnswer }
  | { readonly id: number; readonly failure: Error; readonly fields: { readonly code?: string | undefined } };

const searcher = new Searcher();

parentPort?.on('message', (message: ToThread) => {
  if ('forget' in message) searcher.forget(message.forget);
  else void answerTo(message);
});

async function answerTo({ id, query, live, options }: Extract<ToThread, { id: number }>): Promise<void> {
  let answer: FromThread;
  try {
    answer = { id, answer: await searcher.search(query, live, options) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    answer = { id, failure, fields: { code: (failure as NodeJS.ErrnoException).code } };
  }
  parentPort?.postMessage(answer);
}
