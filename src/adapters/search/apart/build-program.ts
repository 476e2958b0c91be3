/** The program that writes databases, one after the other: files and pages come from the parent process. */
import { on } from 'node:events';
import type { BuiltIndex, SitePage } from '../../../application/ports/search-index.js';
import { readSite } from '../../../application/search/read-site.js';
import { giveWayInProcess } from '../../../node/background/give-way.js';
import { type Outcome, outcomeOf } from '../../../node/background/job.js';
import { documentParsers } from '../../../node/document-parsers.js';
import { buildDatabase } from '../databases/build-database.js';

/** File for the next database. The program asks for the pages. */
export interface BuildTask {
  readonly file: string;
}
export interface PageBatch {
  /** None: there are no more. */
  readonly pages: readonly SitePage[];
}
export type FromBuilder = { readonly wants: 'sample' | 'pages' } | Outcome<BuiltIndex>;

const send = (message: FromBuilder) =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
const messages = on(process, 'message');
const received = async () => (await messages.next()).value[0];

/** Asks for the next pages while the ones before are read. */
async function* pagesOf(kind: 'sample' | 'pages'): AsyncGenerator<SitePage> {
  const ask = async () => {
    await send({ wants: kind });
    return ((await received()) as PageBatch).pages;
  };
  let coming = ask();
  for (let pages = await coming; pages.length > 0; pages = await coming) {
    coming = ask();
    yield* pages;
  }
}

// Nobody waits for the database any more.
process.once('disconnect', () => process.exit(1));
giveWayInProcess();
const site = { sample: () => pagesOf('sample'), pages: () => pagesOf('pages') };
for (;;) {
  const { file } = (await received()) as BuildTask;
  await send(await outcomeOf(() => buildDatabase(file, readSite(site, documentParsers))));
}
