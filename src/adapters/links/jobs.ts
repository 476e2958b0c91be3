import type { LinkBudget, LinkedSite, OutwardQuestion } from '../../application/ports/link-checking.js';
import type { SitePage } from '../../application/ports/search-index.js';
import { giveWayInThread } from '../../node/background/give-way.js';
import { job } from '../../node/background/job.js';
import { checkLinkFile, outwardLinksIn, placesInLinkFile } from '../../node/links/check-link-file.js';

// Each export is a job.

export const read = job(
  async ({ pages, budget }: { readonly pages: readonly SitePage[]; readonly budget: LinkBudget }) => {
    // The parser takes a third of the start of a thread. After an upload none is read here.
    const { LinkFileWriter } = await import('../../node/links/link-file-writer.js');
    const writer = new LinkFileWriter(budget);
    for (const { path, bytes } of pages) writer.add(path, bytes);
    return writer.end();
  },
);

export const check = job((site: LinkedSite) => checkLinkFile(site));

export const outward = job(
  ({ file, question }: { readonly file: Uint8Array; readonly question: OutwardQuestion }) =>
    outwardLinksIn(file, question),
);

export const missing = job(
  ({ site, places }: { readonly site: LinkedSite; readonly places: readonly string[] }) =>
    placesInLinkFile(site, places),
);

giveWayInThread();
