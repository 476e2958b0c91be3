import { ownString } from '../text-run.js';

/** The text of an HTML page: what it says, without the navigation around it. */
export interface PageText {
  /** The `<title>` without what all pages of the site share, else the first heading. May be empty. */
  readonly title: string;
  /** Language tag that the page declares, such as `en` or `zh-CN`. */
  readonly language?: string;
  readonly kind: PageKind;
  /** Reason why search engines should leave the page out. The text is there all the same. */
  readonly excluded?: 'noindex' | 'redirect';
  /** Sections in the order of the page. A section without text is only a heading. */
  readonly sections: readonly Section[];
  /** Texts, with their headings, that the page shares with many of its site. They are in no section. */
  readonly shared?: readonly string[];
  /** Limits that the page exceeded. The text ends there, or lacks what came after. Empty for nearly all pages. */
  readonly cut: readonly Cut[];
}

/**
 * Purpose of a page. `generated-list`: an index or a list of members that a builder made, where nothing is explained. `source`:
 * the source text of a program. `sample`: a configuration file as an example. `release-notes`: mentions everything, explains
 * little. `past`: what is to go, or has gone.
 */
export type PageKind = 'ordinary' | 'generated-list' | 'source' | 'sample' | 'release-notes' | 'past';

/** Whether a page of a kind only lists, or repeats, what others explain. */
export function isListing(kind: PageKind): boolean {
  return kind === 'generated-list' || kind === 'source';
}

/** A heading and the text up to the next one. */
export interface Section {
  /** Empty for the text before the first heading. */
  readonly heading: string;
  /** 1 to 6 for `h1` to `h6`, 7 for a term with an id (`dt[id]`), 0 for the text before the first heading. */
  readonly level: number;
  /** Id of the element to link to, as in the page: not percent-encoded. */
  readonly anchor?: string;
  /** Words separated by single spaces, blocks by `\n`, lines of `pre` by `CODE_LINE`. */
  readonly text: string;
}

/** A limit of `ReadingLimits`. */
export type Cut = 'bytes' | 'depth' | 'sections' | 'elements' | 'time';

/** The last heading of a page whose text ends before the page does; undefined for one that is whole. */
export function readTo({ cut, sections }: Pick<PageText, 'cut' | 'sections'>): string | undefined {
  const isWhole = cut.every((reason) => reason === 'sections');
  return isWhole ? undefined : (sections.findLast(({ heading }) => heading !== '')?.heading ?? '');
}

/** The page with strings of its own: views of one copy, which keep nothing else. */
export function withOwnStrings(page: PageText): PageText {
  const strings = [page.title, page.language ?? ''];
  for (const { heading, anchor, text } of page.sections) strings.push(heading, anchor ?? '', text);
  strings.push(...(page.shared ?? []));
  const copy = ownString(strings.join(''));
  let from = 0;
  let index = 0;
  const next = () => {
    const start = from;
    from += strings[index++]?.length ?? 0;
    return copy.slice(start, from);
  };
  const title = next();
  const language = next();
  const sections = page.sections.map((section): Section => {
    const [heading, anchor, text] = [next(), next(), next()];
    return { ...section, heading, text, ...(anchor === '' ? {} : { anchor }) };
  });
  const shared = page.shared?.map(next);
  return {
    ...page,
    title,
    ...(language === '' ? {} : { language }),
    sections,
    ...(shared === undefined ? {} : { shared }),
  };
}
