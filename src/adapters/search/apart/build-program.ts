/** The program that writes the database of one site: its argument is the file, its pages come from the parent process. */
import { once } from 'node:events';
import type { BuiltIndex, SitePage } from '../../../application/ports/search-index.js';
import { readSite } from '../../../application/search/index.js';
import { giveWayInProcess } from '../../../node/background/give-way.js';
import { type Outcome, outcomeOf } from '../../../node/background/outcome.js';
import { buildDatabase } from '../databases/build-database.js';

export interface ToBuilder {
  /** None: there are no more. */
  readonly pages: readonly SitePage[];
}
export type FromBuilder = { readonly wants: 'sample' | 'pages' } | Outcome<BuiltIndex>;

const send = (message: FromBuilder) =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));

/** Asks for the next pages while the ones before are read. */
async function* received(kind: 'sample' | 'pages'): AsyncGenerator<SitePage> {
  const ask = async () => {
    const answer = once(process, 'message');
    await send({ wants: kind });
    const [{ pages }] = (await answer) as [ToBuilder];
    return pages;
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
const site = { sample: () => received('sample'), pages: () => received('pages') };
await send(await outcomeOf(() => buildDatabase(process.argv[2] ?? '', readSite(site))));
