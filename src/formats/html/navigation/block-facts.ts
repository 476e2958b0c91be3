import type { OpenElement } from '../open-element.js';
import { isWayfinding, type OpenLink, wordsOf } from './open-link.js';

/** Placeholder of a link in the text around links: no text has it. */
const LINK = '\u0001';
/** Max. characters outside of links in a block of navigation. */
export const MAX_BESIDE = 150;
/** `Next: <a>`, and the parent of a manual of texinfo: `Up: (dir)`. */
const LABELLED = new RegExp(
  `(?:next|previous|prev|up|back|top|goto|go to|return to)(?: [a-z]+)?\\s*:\\s*(?:${LINK}|\\(dir\\))`,
  'gi',
);
const BAR = /[|·•]/g;
/** White space that is not one space. */
const SPACES = /[^\S ]| {2}/;
/** Max. links of a row. */
const MAX_LINKS = 100;
const LETTER = /\p{L}/u;
const BETWEEN = new RegExp(`[${LINK}|·•:,;()[\\]<>«»‹›←→↑/\\\\–—*]+|\\s-+\\s`);
const CONTENTS =
  /^(?:\d+[\s.]*)?(?:(?:table of )?contents|contents of this (?:page|section)|in this (?:article|page|section|chapter|document)|on this page|page contents|quick links|jump to|index|overview|toc)$/;
/** A rough test for them, for speed. */
const MAYBE_CONTENTS = /content|in this|on this|links|jump|index|overview|toc/i;
const MADE_BY =
  /^(?:this (?:document|page|file|manual|documentation)(?: was| is|'s)? |documentation |automatically |html )*(?:generated|created|produced|built|made|converted) (?:automatically |from .{1,60} )?(?:by|on|with|using|at|for)\b/i;
const UPDATED =
  /^(?:this page was |page )?last (?:updated?|modified|changed?|edited|generated|built)(?: on| at| in| by)?\b.{0,100}$/i;
const MAY_LEAD =
  /^\W*(?:this|page|last|doc|auto|html|gen|creat|prod|built|made|conv|copy|©|\(c\)|next|prev|up|back|top|go|return)|content|jump|quick|links/i;
/** A rough test for lines at the end of a page, for speed. */
const END = /^(?:this|page|last|doc|auto|html|gen|creat|prod|built|made|conv|copy|©|\(c\))/i;
const COPYRIGHT = /^(?:©|\(c\)|copyright\b)/i;

/** Kind of a block: dropped are `navigation`, and `edge` at the beginning or the end of the content. */
type Verdict = 'navigation' | 'edge' | 'contents' | 'title' | 'copyright' | 'blank' | 'content';

/** A block that may be navigation: its links, and the text outside of them. */
export class BlockFacts {
  private links: OpenLink[] | undefined;
  private images = 0;
  private beside = '';
  /** Characters outside of links, in nested blocks too. */
  size = 0;

  /**
   * @param element undefined for a line outside of blocks
   * @param start index of its first event among the events that are held back
   */
  constructor(
    readonly element: OpenElement | undefined,
    public start: number,
  ) {}

  /** Adds text outside of links. */
  add(text: string): void {
    if (this.beside.length <= MAX_BESIDE * 2) this.beside += text;
  }

  addImage(): void {
    this.images += 1;
  }

  addLink(link: OpenLink): void {
    // `<a href="#x"></a>`
    if (link.text.trim() === '' && !link.hasImage) return;
    this.links ??= [];
    this.links.push(link);
    this.add(LINK);
  }

  /** Adds the content of a nested block. */
  addAll({ links, images, beside }: BlockFacts): void {
    if (links !== undefined) {
      this.links ??= [];
      for (const link of links) this.links.push(link);
    }
    this.images += images;
    this.add(` ${beside} `);
  }

  /** @param isNamed whether the page calls the block navigation */
  verdict(isNamed: (element: OpenElement | undefined) => boolean): Verdict {
    const beside = SPACES.test(this.beside) ? this.beside.replace(/\s+/g, ' ').trim() : this.beside.trim();
    const { links } = this;
    if (links === undefined) return this.withoutLinks(beside);
    if (isNamed(this.element)) return 'navigation';
    const start = beside.startsWith(LINK) ? undefined : startOf(beside);
    if (start !== undefined) return start;
    let labels = 0;
    const rest = beside.replace(LABELLED, () => {
      labels += 1;
      return '';
    });
    const texts = LETTER.test(rest) ? rest.split(BETWEEN).filter((text) => LETTER.test(text)) : [];
    if (texts.length === 1 && isContents(texts[0] ?? '') && links.length > 1 && links.every(isInPage)) {
      return 'contents';
    }
    return texts.every(isWayfinding) ? withoutText(links, labels, rest) : 'content';
  }

  private withoutLinks(beside: string): Verdict {
    if (beside === '') return this.images > 0 ? 'content' : 'blank';
    if (isContents(beside)) return 'title';
    return startOf(beside) ?? (/[\p{L}\p{N}]/u.test(beside) ? 'content' : 'blank');
  }
}

/** The verdict on a text that begins like the end of a page. */
function startOf(beside: string): Verdict | undefined {
  if (!END.test(beside)) return undefined;
  if (MADE_BY.test(beside) || UPDATED.test(beside)) return 'navigation';
  return COPYRIGHT.test(beside) ? 'copyright' : undefined;
}

/** The verdict on links with nothing else. */
function withoutText(all: readonly OpenLink[], labels: number, rest: string): Verdict {
  const links = all.length;
  const inPage = all.filter(isInPage).length;
  if (links > MAX_LINKS) return inPage === links ? 'contents' : 'content';
  const counts = { direction: 0, place: 0, action: 0, short: 0, image: 0, other: 0 };
  for (const { kind } of all) counts[kind] += 1;
  const { direction, place, action, short, image } = counts;
  const ways = Math.max(direction, labels) + place + short + image;
  if (action === links || (links > 2 && all.every((link) => link.isLanguage))) return 'navigation';
  if ((direction > 0 || labels > 0) && ways >= links / 2) return 'navigation';
  if (short === links && links > 4) return 'navigation';
  if (place + short + image + action === links && place + image > 0) return 'edge';
  if (inPage === links && links > 1) return 'contents';
  const bars = rest.match(BAR)?.length ?? 0;
  if (links < 3 || bars < links - 1) return 'content';
  return place >= links / 2 ? 'navigation' : 'edge';
}

function isInPage(link: OpenLink): boolean {
  return link.isInPage;
}

/** A rough test for text between links of navigation, for speed. */
export function mayLead(text: string): boolean {
  return MAY_LEAD.test(text);
}

/** Whether a text is the title of a table of contents. */
export function isContents(text: string): boolean {
  return text.length < 60 && MAYBE_CONTENTS.test(text) && CONTENTS.test(wordsOf(text));
}
