import { WorkTime } from '../work-time.js';
import { decodePage } from './charset.js';
import type { ContentEvents } from './content-events.js';
import { isUnseenHeading } from './headings.js';
import { HiddenText } from './hidden/hidden-text.js';
import { isLeftOut, isNeverShown } from './left-out.js';
import { NavigationFilter } from './navigation/navigation-filter.js';
import { idIn, type OpenElement, openElement, Unseen } from './open-element.js';
import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, parsingMsFor, READING_LIMITS, type ReadingLimits } from './reading-limits.js';
import { TermFinder } from './term-finder.js';

/** `main`: only the content of `<main>` or `[role=main]`. `page`: all content. Both leave out navigation. */
type Scope = 'main' | 'page';

const MAIN = /<main[\s>]|\brole\s*=\s*["']?main\b/i;

/** Whether the page seems to mark its main part. The match may still be in a script. */
function mayHaveMain(html: string): boolean {
  return MAIN.test(html);
}

/** An element around the main part that may hide it. */
interface Around {
  readonly element: OpenElement;
  readonly attributes: Attributes;
  readonly number: number;
}

/** Passes on the content of a page, and tells its head what the page says about itself. */
export class ContentReader implements HtmlEvents {
  private element: OpenElement | undefined;
  /** Number of open elements in the part that is being left out, itself included. */
  private leftOut = 0;
  private main: OpenElement | undefined;
  /** A heading that nobody can see, while it is left out. */
  private unseenHeading: OpenElement | undefined;
  private readonly around: Around[] = [];
  /** Number of elements so far. */
  private number = 0;

  /** @param hidden undefined where no content is read */
  constructor(
    private readonly scope: Scope,
    private readonly head: PageHead,
    private readonly content: ContentEvents,
    private readonly hidden?: HiddenText,
  ) {}

  open(name: string, attributes: Attributes): void {
    this.number += 1;
    if (this.leftOut > 0) {
      this.leftOut += 1;
      if (this.isInside) this.passAnchor(idIn(name, attributes));
      return;
    }
    this.head.open(name, attributes);
    const element = openElement(name, attributes, this.element);
    if (name === 'title' || isNeverShown(name) || (this.isInside && isLeftOut(element, attributes))) {
      this.leftOut = 1;
      if (this.isInside) this.passAnchor(element.id);
      return;
    }
    const isMain = !this.isInside && (name === 'main' || attributes.role === 'main');
    const unseen = this.unseenIn({ element, attributes, number: this.number }, isMain);
    if (unseen === element.unseen) this.openSeen(element, attributes, isMain);
    else if (unseen === Unseen.gone) this.leaveOut({ ...element, unseen }, attributes);
    else this.openSeen({ ...element, unseen }, attributes, isMain);
  }

  close(): void {
    if (this.leftOut > 0) {
      this.leftOut -= 1;
      if (this.leftOut > 0) return;
      this.head.closeTitle();
      if (this.unseenHeading !== undefined) this.content.close(this.unseenHeading);
      this.unseenHeading = undefined;
      return;
    }
    const element = this.element;
    if (element === undefined) return;
    if (this.isInside) this.content.close(element);
    if (element === this.main) this.main = undefined;
    if (element === this.around.at(-1)?.element) this.around.pop();
    this.element = element.parent;
  }

  text(part: string): void {
    if (this.leftOut > 0) this.head.text(part);
    else if (this.isInside && !this.element?.unseen) this.content.text(part, this.element);
  }

  private openSeen(element: OpenElement, attributes: Attributes, isMain: boolean): void {
    // The text of an image is seen where letters have no size.
    if (element.name === 'img' && (element.unseen & Unseen.visibility) !== 0) {
      this.leftOut = 1;
      return;
    }
    this.element = element;
    if (isMain) this.main = element;
    if (this.isInside) this.content.open(element, attributes);
  }

  private passAnchor(id: string | undefined): void {
    if (id !== undefined) this.content.anchor?.(id);
  }

  /** Leaves out an element that nobody can see. An unseen heading, as in SQLite's docs, still divides the page. */
  private leaveOut(element: OpenElement, attributes: Attributes): void {
    this.leftOut = 1;
    if (!this.isInside) return;
    if (isUnseenHeading(element)) {
      this.unseenHeading = element;
      this.content.open(element, attributes);
    } else this.passAnchor(element.id);
  }

  /** Reasons why text in an element is not seen: bits of `Unseen`. Around the main part, they count once that is reached. */
  private unseenIn(each: Around, isMain: boolean): number {
    const { element } = each;
    if (this.hidden === undefined) return element.unseen;
    const parts = isMain ? [...this.around, each] : [each];
    if (this.isInside || isMain)
      return parts.reduce((unseen, part) => this.withSight(part, unseen), element.unseen);
    if (this.hidden.mayHide(element.name, each.attributes)) this.around.push(each);
    return element.unseen;
  }

  private withSight({ element, attributes, number }: Around, unseen: number): number {
    if (unseen === Unseen.gone || this.hidden?.mayHide(element.name, attributes) !== true) return unseen;
    const { isGone, visibility, size } = this.hidden.sightOf(number, element.name, attributes);
    if (isGone) return Unseen.gone;
    return withBit(withBit(unseen, Unseen.visibility, visibility), Unseen.size, size);
  }

  private get isInside(): boolean {
    return this.scope === 'page' || this.main !== undefined;
  }
}

function withBit(bits: number, bit: number, isSet: boolean | undefined): number {
  if (isSet === undefined) return bits;
  return isSet ? bits | bit : bits & ~bit;
}

/**
 * Reads the main part of a page, or all of it where that is empty, within the limits. Never throws, whatever the bytes are.
 * @param collect makes parts of the content, which `parse` passes on to a receiver
 */
export function readContent<Part>(
  bytes: Uint8Array,
  limits: Partial<ReadingLimits> | undefined,
  collect: (budget: Budget, parse: (content: ContentEvents) => void) => readonly Part[],
) {
  const all = { ...READING_LIMITS, ...limits };
  const time = new WorkTime(parsingMsFor(all, Math.min(bytes.length, all.bytes)));
  const html = decodePage(bytes.subarray(0, all.bytes));
  const hidden = new HiddenText(html, () => new Budget(all, time));
  const read = (scope: Scope, keepsNavigation = false) => {
    const head = new PageHead();
    const budget = new Budget(all, time);
    let hasTakenAll = false;
    const parse = (content: ContentEvents) => {
      const terms = new TermFinder(content, () => budget.stopped);
      if (keepsNavigation) {
        parseHtml(html, new ContentReader(scope, head, terms, hidden), budget);
        return;
      }
      const filter = new NavigationFilter(terms, budget);
      parseHtml(html, new ContentReader(scope, head, filter, hidden), budget);
      filter.end(budget.stopped);
      hasTakenAll = filter.hasTakenAll;
    };
    const parts = collect(budget, parse);
    // A page of links has no other content.
    if (hasTakenAll) return read(scope, true);
    if (bytes.length > all.bytes) budget.cut.add('bytes');
    return { head, parts, cut: budget.cut };
  };
  const main = mayHaveMain(html) ? read('main') : undefined;
  // `<main>` may be in a comment, or empty.
  return main === undefined || main.parts.length === 0 ? read('page') : main;
}
