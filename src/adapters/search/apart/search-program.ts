/** The program of the threads that search. */
import { BroadcastChannel, type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { SearchOptions } from '../../../application/index.js';
import { SearchBudget } from '../../../application/search/index.js';
import { isAbandoned, job } from '../../../node/background/job.js';
import { type SearchedRevision, Searcher } from '../finding/searcher.js';

export interface SearchTask {
  readonly query: string;
  readonly live: readonly SearchedRevision[];
  readonly options: SearchOptions;
}

/** `workerData` of a thread. */
export interface ThreadData {
  /** Name of the channel that tells which files were replaced or removed. */
  readonly channel: string;
}

const { channel } = workerData as ThreadData;
const searcher = new Searcher();
const replaced = new BroadcastChannel(channel);
replaced.onmessage = ({ data }) => searcher.forget(data);

/** Returns the next message whose event has not come yet. Node 20 takes a channel, too; its types do not say so. */
const next = () => receiveMessageOnPort(replaced as unknown as MessagePort);

export const search = job(({ query, live, options }: SearchTask) => {
  // Whatever was replaced before this search began is not searched any more.
  for (let told = next(); told !== undefined; told = next()) searcher.forget(told.message);
  return searcher.search(query, live, options, () => SearchBudget.start(isAbandoned));
});
