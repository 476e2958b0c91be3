import { isListing, type PageText, type Section } from './page-text.js';

/** Boilerplate that many pages of a site share, found in a sample of pages. It says nothing about any single page. */
export interface SiteConventions {
  /** Endings of `<title>`, longest first: ` — Flask Documentation (2.2.x)`. */
  readonly titleEndings: readonly string[];
  /** Beginnings of `<title>`, longest first: `Eigen: `. */
  readonly titleBeginnings: readonly string[];
  /** Texts of `h1` that are no heading of their page, such as the name of the site. */
  readonly headings: ReadonlySet<string>;
  /** Texts of whole sections, by their headings. */
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Max. pages that `samplePaths` chooses. */
const MAX_SAMPLE = 40;
/** Min. share of the sample that makes a convention, and min. number of pages. */
const MIN_SHARE = 0.3;
const MIN_PAGES = 3;
/** Separator between the title of a page and the name of its site. */
const SEPARATOR = /\s+[-–—|·•:/]{1,2}\s+|:\s+|\s+(?=\()/g;
/** Max. separators checked in one title. */
const MAX_SEPARATORS = 10;

/** A sample of pages from all over a site: every n-th of its sorted paths. */
export function samplePaths(paths: readonly string[], size = MAX_SAMPLE): string[] {
  const sorted = [...paths].sort();
  const count = Math.min(size, sorted.length);
  return Array.from({ length: count }, (_, at) => sorted[Math.floor((at * sorted.length) / count)] ?? '');
}

/** Conventions of a sample of pages, which were read without conventions. Redirects and lists don't count. */
export function siteConventions(sample: readonly PageText[]): SiteConventions {
  const pages = sample.filter(({ excluded, kind }) => excluded !== 'redirect' && !isListing(kind));
  const shared = (partsOf: (page: PageText) => readonly string[]) =>
    sharedBy(pages.map((page) => new Set(partsOf(page))));
  return {
    titleEndings: longestFirst(shared(({ title }) => cutsOf(title).map(({ from }) => title.slice(from)))),
    titleBeginnings: longestFirst(shared(({ title }) => cutsOf(title).map(({ to }) => title.slice(0, to)))),
    headings: shared(({ sections }) =>
      sections.filter(({ level }) => level === 1).map((each) => each.heading),
    ),
    sections: textsByHeading(shared(({ sections }) => sections.map(sectionKey))),
  };
}

/**
 * The page without what its site shares, which is in `shared` then. A title or a page of which nothing would be left stays
 * as it is.
 */
export function withoutConventions(page: PageText, conventions: SiteConventions): PageText {
  const sections = page.sections
    .filter((each) => !isSharedSection(each, conventions))
    .map((each) => (isSharedHeading(each, conventions) ? asPreamble(each) : each))
    .filter(({ heading, text }) => heading !== '' || text !== '');
  const title = ownTitle(page.title, conventions);
  if (sections.length === 0) return { ...page, title };
  const shared = page.sections.flatMap((each) => {
    if (isSharedSection(each, conventions)) return [sectionKey(each)];
    return isSharedHeading(each, conventions) ? [each.heading] : [];
  });
  return { ...page, title, sections, ...(shared.length === 0 ? {} : { shared }) };
}

function isSharedSection({ heading, text }: Section, { sections }: SiteConventions): boolean {
  return sections.get(heading)?.has(text) === true;
}

function isSharedHeading({ level, heading }: Section, { headings }: SiteConventions): boolean {
  return level === 1 && headings.has(heading);
}

/** The text of a section without its heading. */
function asPreamble({ text }: Section): Section {
  return { heading: '', level: 0, text };
}

function ownTitle(title: string, { titleEndings, titleBeginnings }: SiteConventions): string {
  const ending = titleEndings.find((each) => title.endsWith(each) && title.length > each.length) ?? '';
  const rest = title.slice(0, title.length - ending.length);
  const beginning = titleBeginnings.find((each) => rest.startsWith(each) && rest.length > each.length) ?? '';
  return rest.slice(beginning.length);
}

/** Positions at which a title may be divided: start and end of each separator, except at the very start or end. */
function cutsOf(title: string): { readonly from: number; readonly to: number }[] {
  return [...title.matchAll(SEPARATOR)]
    .slice(0, MAX_SEPARATORS)
    .map(({ index, 0: separator }) => ({ from: index, to: index + separator.length }))
    .filter(({ from, to }) => from > 0 && to < title.length);
}

/** The parts that enough pages have. */
function sharedBy(pages: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const part of pages.flatMap((parts) => [...parts])) counts.set(part, (counts.get(part) ?? 0) + 1);
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  return new Set([...counts].filter(([, count]) => count >= enough).map(([part]) => part));
}

function longestFirst(texts: ReadonlySet<string>): string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}

/** No heading has a line break. */
function sectionKey({ heading, text }: Section): string {
  return `${heading}\n${text}`;
}

function textsByHeading(keys: ReadonlySet<string>): Map<string, Set<string>> {
  const texts = new Map<string, Set<string>>();
  for (const key of keys) {
    const end = key.indexOf('\n');
    const heading = key.slice(0, end);
    texts.set(heading, (texts.get(heading) ?? new Set()).add(key.slice(end + 1)));
  }
  return texts;
}
