import type { ContentEvents } from '../content-events.js';
import { BLOCKS, type OpenElement } from '../open-element.js';
import type { Attributes } from '../parse-html.js';
import type { Budget } from '../reading-limits.js';
import { BlockFacts, isContents, MAX_BESIDE, mayLead } from './block-facts.js';
import { HeldEvents } from './held-events.js';
import { OpenLink } from './open-link.js';

/** Elements whose lines outside of blocks are looked at as a block. */
const CONTAINERS = new Set(['body', 'div', 'center', 'main', 'article', 'section']);

/**
 * Part that an element has in finding navigation. `whole`: it is looked at as a whole. `undivided`: no smaller blocks in it are looked
 * at. `block`: it ends a line. `code`: content. `inline`: code within a line.
 */
type Role = 'heading' | 'whole' | 'undivided' | 'block' | 'code' | 'inline';

const ROLES = new Map<string, Role>();
for (const name of BLOCKS) if (name !== 'br') ROLES.set(name, 'block');
for (const [role, names] of [
  ['heading', 'h1 h2 h3 h4 h5 h6'],
  ['whole', 'p div center address'],
  ['undivided', 'table ul ol dl menu'],
  ['code', 'pre math'],
  ['inline', 'code tt kbd samp'],
] as const) {
  for (const name of names.split(' ')) ROLES.set(name, role);
}

/** Blocks of text. With more than `MAX_LABEL` characters outside of links, they are content, unless they begin like navigation. */
const OF_TEXT = new Set(['p', 'ul', 'ol', 'dl']);
const MAX_LABEL = 30;

/** Classes and ids of navigation. */
const NAMED =
  /(?:^|[\s_-])nav(?:igat(?:e|ion|or))?(?:[\s_-]?(?:bar|panel|header|footer|links?|table|menu|box|top|bottom))?(?:$|[\s_-])|(?:^|[\s_-])(?:breadcrumbs?|pager)(?:$|[\s_-])|footer/i;

/**
 * Leaves out navigation that its content tells, whichever program made the page: rows of links such as `Next`, `Up`
 * and `Contents`, tables of contents of the page, links to edit it, and lines that say when and by which program it was made. The
 * events of a block are held back until something in it is content, so nothing counts but the block itself and its place: at the
 * beginning of the content, at its end, or below a title.
 */
export class NavigationFilter implements ContentEvents {
  private readonly held: HeldEvents;
  /** Open blocks that may be navigation. */
  private readonly candidates: BlockFacts[] = [];
  private link: { readonly element: OpenElement; readonly read: OpenLink } | undefined;
  private heading: { readonly element: OpenElement; readonly start: number; text: string } | undefined;
  private isAfterHeading = false;
  /** Whether the line is content: all of it is passed on at once, and nothing is held back. */
  private isInLine = false;

  constructor(
    private readonly content: ContentEvents,
    budget: Budget,
  ) {
    this.held = new HeldEvents(content, budget);
  }

  /** Whether nothing but headings would be left of the content. */
  get hasTakenAll(): boolean {
    return this.held.hasDropped && !this.held.hasText;
  }

  open(element: OpenElement, attributes: Attributes): void {
    const role = ROLES.get(element.name);
    if (role !== undefined && role !== 'inline') this.endLine();
    else if (this.isInLine) {
      this.content.open(element, attributes);
      return;
    }
    if (this.heading === undefined) this.lookAt(element, attributes, role);
    if (this.isInLine) this.content.open(element, attributes);
    else if (!this.held.open(element, attributes, this.isHolding)) this.pass();
  }

  close(element: OpenElement): void {
    const role = ROLES.get(element.name);
    const isBlock = role !== undefined && role !== 'inline';
    if (this.isInLine) {
      this.content.close(element);
      if (isBlock) this.isInLine = false;
      return;
    }
    if (isBlock) this.endLine();
    if (this.link?.element === element) {
      this.candidates.at(-1)?.addLink(this.link.read);
      this.link = undefined;
    }
    if (!this.held.close(element, this.isHolding)) this.pass();
    if (this.heading?.element === element) this.closeHeading(this.heading);
    else if (this.candidates.at(-1)?.element === element) this.closeCandidate();
    if (isBlock) this.isInLine = false;
  }

  text(part: string, element: OpenElement | undefined): void {
    if (this.isInLine) {
      this.held.passOnText(part, element);
      return;
    }
    if (this.heading !== undefined) {
      if (this.heading.text.length <= MAX_BESIDE) this.heading.text += part;
    } else if (this.link !== undefined) this.link.read.add(part);
    else this.addBeside(part, element);
    if (!this.held.text(part, element, this.isHolding)) this.pass();
  }

  anchor(id: string): void {
    if (this.isInLine) this.content.anchor?.(id);
    else if (!this.held.anchor(id, this.isHolding)) this.pass();
  }

  /** Called once the page is read. */
  end(isCut: boolean): void {
    if (this.isHolding) this.pass();
    this.held.release(this.held.length, !isCut);
  }

  private lookAt(element: OpenElement, attributes: Attributes, role: Role | undefined): void {
    const { name } = element;
    if (role === 'heading') this.heading = { element, start: this.held.length, text: '' };
    else if (role === 'code') this.pass();
    else if (role === 'whole' || role === 'undivided') {
      if (!this.isUndivided) this.begin(element);
    } else if (role !== 'block' && isContainer(element.parent)) this.beginLine();
    const facts = this.candidates.at(-1);
    if (facts === undefined) return;
    if (name === 'a' && attributes.href !== undefined) {
      this.link ??= { element, read: new OpenLink(attributes) };
    } else if (name === 'img') {
      if (this.link === undefined) facts.addImage();
      else this.link.read.addImage(attributes.alt ?? '');
    } else if (this.link !== undefined && role === 'inline') this.link.read.hasCode = true;
  }

  private begin(element: OpenElement | undefined): void {
    this.candidates.push(new BlockFacts(element, this.held.length));
  }

  private beginLine(): void {
    const last = this.candidates.at(-1);
    const isLine = last !== undefined && last.element === undefined;
    if (!isLine && !this.isInLine && !this.isUndivided) this.begin(undefined);
  }

  private endLine(): void {
    const last = this.candidates.at(-1);
    if (last !== undefined && last.element === undefined) {
      this.link = undefined;
      this.closeCandidate();
    }
    this.isInLine = false;
  }

  private addBeside(part: string, element: OpenElement | undefined): void {
    const { candidates } = this;
    const { length } = part.trim();
    if (length === 0) {
      candidates.at(-1)?.add(' ');
      return;
    }
    if (length > MAX_BESIDE || (length > MAX_LABEL && this.isOfText && !mayLead(part))) {
      this.pass();
      return;
    }
    if (isContainer(element)) this.beginLine();
    let full = 0;
    for (const candidate of candidates) {
      candidate.size += length;
      if (candidate.size > MAX_BESIDE) full += 1;
    }
    const first = candidates[full];
    if (first === undefined) {
      this.pass();
      return;
    }
    candidates.at(-1)?.add(part);
    if (full === 0) return;
    // Blocks around it have too much text.
    const { start } = first;
    candidates.splice(0, full);
    this.held.release(start, false);
    for (const candidate of candidates) candidate.start -= start;
  }

  private closeHeading({ start, text }: NonNullable<typeof this.heading>): void {
    this.heading = undefined;
    this.held.countHeading();
    if (isContents(text)) this.held.mark(start, 'with a list');
    else this.pass();
    this.isAfterHeading = true;
  }

  private closeCandidate(): void {
    const facts = this.candidates.pop();
    if (facts === undefined) return;
    const { start } = facts;
    const verdict = facts.verdict(isNamed);
    const { isBeginning } = this.held;
    if (verdict === 'navigation' || (verdict === 'edge' && isBeginning)) this.held.mark(start, 'always');
    else if (verdict === 'edge' && !this.isAfterHeading) this.held.mark(start, 'at the end');
    else if (verdict === 'title') this.held.mark(start, 'with a list');
    else if (verdict === 'contents' && this.held.markWithTitle(start)) return;
    else if (verdict === 'contents' && isBeginning) this.held.mark(start, 'always');
    else if (verdict !== 'blank' && verdict !== 'copyright') this.keep(facts);
  }

  /** Keeps a block, unless the block around it may still be left out as a whole. */
  private keep(facts: BlockFacts): void {
    const around = this.candidates.at(-1);
    if (around === undefined) this.pass();
    else around.addAll(facts);
  }

  /** Passes on the events that are held back: they are content. */
  private pass(): void {
    this.candidates.length = 0;
    this.heading = undefined;
    this.link = undefined;
    this.isInLine = true;
    this.isAfterHeading = false;
    this.held.release(this.held.length, false);
  }

  /** Whether a block is open that may be left out. */
  private get isHolding(): boolean {
    return this.candidates.length > 0 || this.heading !== undefined;
  }

  /** Whether the innermost block that may be navigation is one for text, such as a paragraph. */
  private get isOfText(): boolean {
    const element = this.candidates.at(-1)?.element;
    return element === undefined || OF_TEXT.has(element.name);
  }

  /** Whether the innermost block that may be navigation is looked at as a whole. */
  private get isUndivided(): boolean {
    const element = this.candidates.at(-1)?.element;
    return element !== undefined && ROLES.get(element.name) === 'undivided';
  }
}

function isContainer(element: OpenElement | undefined): boolean {
  return element === undefined || CONTAINERS.has(element.name);
}

function isNamed(element: OpenElement | undefined): boolean {
  if (element === undefined) return false;
  const { classes, id } = element;
  return (classes !== undefined && NAMED.test(classes)) || (id !== undefined && NAMED.test(id));
}
