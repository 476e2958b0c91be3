/** The thread that searches. */
import { parentPort, workerData } from 'node:worker_threads';
import type { SearchAnswer, SearchOptions } from '../../../application/index.js';
import { SearchBudget } from '../../../application/search/index.js';
import { type SearchedRevision, Searcher } from '../finding/searcher.js';

/** What is searched for. */
export interface SearchTask {
  readonly query: string;
  readonly live: readonly SearchedRevision[];
  readonly options: SearchOptions;
}

/** What the thread is started with. */
export interface ThreadData {
  /** Of one number: other than 0 when nobody waits for the search that runs any more. */
  readonly abandoned: Int32Array;
}

/** One search at a time: the next one is sent when the last one was answered. */
export type ToThread = { readonly search: SearchTask } | { readonly forget: string };
/** Errors lose their own fields in a message between threads. */
export type FromThread =
  | { readonly answer: SearchAnswer }
  | { readonly failure: Error; readonly fields: { readonly code?: string | undefined } };

const searcher = new Searcher();
const { abandoned }: ThreadData = workerData;

parentPort?.on('message', (message: ToThread) => {
  if ('forget' in message) searcher.forget(message.forget);
  else void answerTo(message.search);
});

async function answerTo({ query, live, options }: SearchTask): Promise<void> {
  let answer: FromThread;
  try {
    const budgetOf = () => SearchBudget.start(() => Atomics.load(abandoned, 0) !== 0);
    answer = { answer: await searcher.search(query, live, options, budgetOf) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    answer = { failure, fields: { code: (failure as NodeJS.ErrnoException).code } };
  }
  parentPort?.postMessage(answer);
}
