/** The program that writes the database of one site: its argument is the file, its pages come from the parent process. */
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import type { BuiltIndex, SitePage } from '../../../application/ports/search-index.js';
import { readSite } from '../../../application/search/index.js';
import { buildDatabase } from '../databases/build-database.js';

export interface ToBuilder {
  /** None: there are no more. */
  readonly pages: readonly SitePage[];
}
export type FromBuilder =
  | { readonly wants: 'sample' | 'pages' }
  | { readonly built: BuiltIndex }
  | { readonly failure: string; readonly fields: { readonly code?: string } };

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

function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_LOW);
  } catch {
    // A sandbox does not allow it; the priority stays.
  }
}

// Nobody waits for the database any more.
process.once('disconnect', () => process.exit(1));
giveWay();
try {
  const site = { sample: () => received('sample'), pages: () => received('pages') };
  await send({ built: await buildDatabase(process.argv[2] ?? '', readSite(site)) });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  await send({ failure: message, fields: code === undefined ? {} : { code } });
}
