import type {
  CheckedLinks,
  FoundOutward,
  LinkedSite,
  MissingPlaces,
  OutwardQuestion,
} from '../../application/ports/link-checking.js';
import { parseRedirects } from '../../domain/index.js';
import { LinkCheck } from '../../formats/links/check-links.js';
import { type OutwardLink, OutwardLinks } from '../../formats/links/outward-links.js';
import { SiteTargets } from '../../formats/links/site-targets.js';
import { WorkTime } from '../../formats/work-time.js';
import { hashOf, pagesIn, unpackedIds } from './link-file.js';

/** Max. time of the check, in milliseconds. */
const MAX_MS = 60_000;
/** Characters, with those of its page, that count as one link: a longer one counts as several. */
const LINK_CHARACTERS = 200;

/** Sorted hashes of the ids of each page, by path; none for a page that may have others. */
type IdsByPath = ReadonlyMap<string, Uint32Array>;

/**
 * Checks the links of a site.
 * @param maxMs time after which the rest is left out
 * @param known the ids of its pages, where they have just been read
 * @throws Error when the file is damaged
 */
export async function checkLinkFile(
  site: LinkedSite,
  maxMs = MAX_MS,
  known?: IdsByPath,
): Promise<CheckedLinks> {
  const time = new WorkTime(maxMs);
  const check = linkCheckOf(site, known ?? (await idsIn(site.file)), time);
  const pages = pagesIn(site.file);
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return check.end(value);
    check.add(value);
    if (check.isOver) await pages.return(true);
  }
}

/**
 * Checks places in a site, and returns for each whether its page or anchor is missing.
 * @param places as for `LinkCheck.missingAt`
 * @throws Error when the file is damaged
 */
export async function placesInLinkFile(site: LinkedSite, places: readonly string[]): Promise<MissingPlaces> {
  const check = linkCheckOf(site, await idsIn(site.file));
  return places.map((place) => check.missingAt(place));
}

/**
 * Finds the links of a version that lead to sites of the server.
 * @throws Error when the file is damaged
 */
export async function outwardLinksIn(
  file: Uint8Array,
  { directoryName, at, max }: OutwardQuestion,
): Promise<FoundOutward> {
  const outward = new OutwardLinks(directoryName, at);
  const links: OutwardLink[] = [];
  let weight = 0;
  const pages = pagesIn(file);
  for (;;) {
    const { done, value } = await pages.next();
    if (done) return { links, weight, isCut: value };
    for (const link of outward.of(value)) {
      weight += weightOf(link);
      if (weight > max) {
        await pages.return(true);
        return { links, weight: max, isCut: true };
      }
      links.push(link);
    }
  }
}

function weightOf({ page, link, name, place }: OutwardLink): number {
  return Math.max(1, Math.ceil((page.length + link.length + name.length + place.length) / LINK_CHARACTERS));
}

async function idsIn(file: Uint8Array): Promise<IdsByPath> {
  const ids = new Map<string, Uint32Array>();
  for await (const page of pagesIn(file)) {
    if (page.ids !== undefined) ids.set(page.path, unpackedIds(page.ids));
  }
  return ids;
}

function linkCheckOf(
  { paths, redirects }: Pick<LinkedSite, 'paths' | 'redirects'>,
  ids: IdsByPath,
  time?: WorkTime,
): LinkCheck {
  const targets = new SiteTargets(paths, parseRedirects(redirects));
  const hasId = (path: string, id: string) => {
    const known = ids.get(path);
    return known && includes(known, hashOf(id));
  };
  return new LinkCheck({ targets, hasId }, time);
}

function includes(sorted: Uint32Array, wanted: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === wanted;
}
