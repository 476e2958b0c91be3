import { WorkTime } from '../../work-time.js';
import { decodePage } from '../charset.js';
import type { ContentEvents } from '../content-events.js';
import { ContentReader, readContent } from '../content-reader.js';
import { AnchorFinder, isLinkSign, isUnseenHeading, levelOf } from '../headings.js';
import { BLOCKS, type OpenElement } from '../open-element.js';
import { PageHead } from '../page-head.js';
import { parseHtml } from '../parse-html.js';
import { Budget, parsingMsFor, READING_LIMITS, type ReadingLimits } from '../reading-limits.js';
import { cutOff, TextRun } from '../text-run.js';
import { kindOfTitle, pageKind } from './page-kind.js';
import { type PageText, type Section, withOwnStrings } from './page-text.js';
import { type SiteConventions, siteConventions, withoutConventions } from './site-conventions.js';

const MAX_HEADING = 500;

/** Elements whose text is a word of its own. */
const CELLS = new Set(['td', 'th', 'option', 'legend', 'img']);

export interface ReadingOptions {
  /** Path in the site, decoded, such as `guide/index.html`. Determines the kind of page. */
  readonly path: string;
  /** Texts that the pages of the site share, from `siteConventions`. They are left out. */
  readonly conventions?: SiteConventions;
  readonly limits?: Partial<ReadingLimits>;
  /** Whether text in `pre` keeps its spaces and blank lines. Such a block begins with `CODE_LINE`. @default false */
  readonly keepsCode?: boolean;
}

/**
 * The text of an HTML page, with its sections. Never throws: whatever the bytes are, some text comes out, within the
 * limits.
 */
export function readPage(bytes: Uint8Array, options: ReadingOptions): PageText {
  return withOwnStrings(asPartOfSite(readAlone(bytes, options), options.conventions));
}

/** The text of a page whose site is not known yet: `asPartOfSite` finishes it. It has no title where it has no `<title>`. */
export function readUnfinished(bytes: Uint8Array, options: Omit<ReadingOptions, 'conventions'>): PageText {
  return withOwnStrings(readAlone(bytes, options));
}

/** A page without what its site shares, with a title. */
export function asPartOfSite(page: PageText, conventions?: SiteConventions): PageText {
  return titled(conventions === undefined ? page : withoutConventions(page, conventions));
}

/** The `<title>` of a page, from its first bytes. May be empty. */
export function titleIn(bytes: Uint8Array): string {
  const head = new PageHead();
  const nobody = { open() {}, close() {}, text() {} };
  const budget = new Budget(READING_LIMITS, new WorkTime(parsingMsFor(READING_LIMITS, bytes.length)));
  parseHtml(decodePage(bytes), new ContentReader('main', head, nobody), budget);
  return head.titleText;
}

/** The titles of a site's pages without what many of them share, such as the name of the site. */
export function ownTitles(titles: readonly string[]): readonly string[] {
  const pages = titles.map((title) => ({ title, kind: 'ordinary' as const, sections: [], cut: [] }));
  const conventions = siteConventions(pages);
  return pages.map((page) => withoutConventions(page, conventions).title);
}

function readAlone(bytes: Uint8Array, { path, limits, keepsCode }: ReadingOptions): PageText {
  const { head, parts, cut } = readContent(bytes, limits, (budget, parse) => {
    const collector = new SectionCollector(budget, keepsCode);
    parse(collector);
    return collector.sections();
  });
  return {
    title: head.titleText,
    ...(head.language === undefined ? {} : { language: head.language }),
    kind: pageKind(path, head.generators),
    ...(head.redirects ? { excluded: 'redirect' } : head.noindex ? { excluded: 'noindex' } : {}),
    sections: parts,
    cut: [...cut],
  };
}

/** The page with its first heading as title, if it has no `<title>`; and with the kind that its title tells, if its path tells none. */
function titled(page: PageText): PageText {
  const title = page.title || (page.sections.find(({ heading }) => heading !== '')?.heading ?? '');
  return { ...page, title, kind: page.kind === 'ordinary' ? kindOfTitle(title) : page.kind };
}

interface OpenSection {
  readonly heading: string;
  readonly level: number;
  readonly anchor: string | undefined;
  readonly text: TextRun;
}

interface OpenHeading {
  readonly element: OpenElement;
  readonly level: number;
  readonly text: TextRun;
}

/** Divides the content of a page into sections, at `h1` to `h6` and at terms that have an anchor. */
export class SectionCollector implements ContentEvents {
  private readonly closed: OpenSection[] = [];
  private section: OpenSection = { heading: '', level: 0, anchor: undefined, text: new TextRun() };
  private heading: OpenHeading | undefined;
  private readonly anchors = new AnchorFinder();
  private preformatted = 0;

  /** @param keepsCode whether text in `pre` keeps its spaces and blank lines */
  constructor(
    private readonly budget: Budget,
    private readonly keepsCode = false,
  ) {}

  open(element: OpenElement): void {
    const level = levelOf(element);
    if (level !== undefined && this.heading === undefined) {
      this.anchors.openHeading(element);
      this.heading = { element, level, text: new TextRun() };
    } else {
      this.anchors.open(element);
    }
    if (element.name === 'pre') this.preformatted += 1;
    if (element.name === 'br' && this.keepsCode && this.preformatted > 0) this.section.text.codeBreak();
    this.separate(element);
  }

  close(element: OpenElement): void {
    if (element.name === 'pre') this.preformatted -= 1;
    if (element === this.heading?.element) this.closeHeading(this.heading);
    this.separate(element);
  }

  text(part: string, element: OpenElement | undefined): void {
    if (this.heading !== undefined && isLinkSign(part, element)) return;
    if (this.heading !== undefined) this.heading.text.add(part);
    else this.addToSection(part);
  }

  /** The sections of the page, once it is read. */
  sections(): Section[] {
    if (this.heading !== undefined) this.closeHeading(this.heading);
    return [...this.closed, this.section]
      .filter(({ heading, text }) => heading !== '' || !text.isEmpty)
      .map(({ anchor, text, ...section }) => ({
        ...section,
        ...(anchor === undefined ? {} : { anchor }),
        text: String(text),
      }));
  }

  private addToSection(part: string): void {
    const { text } = this.section;
    const addCode = () => (this.keepsCode ? text.addCode(part) : text.addLines(part));
    const added = this.preformatted === 0 ? text.add(part) : addCode();
    if (added > 0) this.anchors.text();
  }

  private separate({ name }: OpenElement): void {
    if (BLOCKS.has(name)) {
      if (this.heading !== undefined) this.heading.text.space();
      else if (this.preformatted > 0 && name !== 'pre') this.section.text.codeLine();
      else this.section.text.lineBreak();
    } else if (CELLS.has(name)) {
      (this.heading ?? this.section).text.space();
    }
  }

  private closeHeading({ element, text, level }: OpenHeading): void {
    this.heading = undefined;
    const anchor = this.anchors.closeHeading();
    const whole = String(text) || (isUnseenHeading(element) && anchor) || '';
    if (whole === '') return;
    if (this.closed.length + 1 >= this.budget.limits.sections) {
      this.budget.cut.add('sections');
      this.section.text.lineBreak();
      this.section.text.add(whole);
      return;
    }
    this.closed.push(this.section);
    const heading = cutOff(whole, MAX_HEADING);
    this.section = { heading, level, anchor, text: new TextRun() };
    this.section.text.add(whole.slice(heading.length));
  }
}
