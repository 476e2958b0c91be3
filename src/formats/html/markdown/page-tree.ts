import type { ContentEvents } from '../content-events.js';
import { AnchorFinder, isLinkSign, isUnseenHeading, levelOf } from '../headings.js';
import { BLOCKS, hasClass, type OpenElement } from '../open-element.js';
import type { Attributes } from '../parse-html.js';
import type { Budget } from '../reading-limits.js';
import { withoutInvisible, withSingleSpaces } from '../text-run.js';

/** Max. characters of an attribute, such as the target of a link or the text of an image. */
const MAX_ATTRIBUTE = 2_000;
const KEPT_ATTRIBUTES = ['href', 'alt', 'start', 'colspan', 'rowspan', 'data-lang', 'encoding'] as const;
const ADMONITIONS =
  'admonition admonitionblock theme-admonition custom-block alert note tip warning caution important danger'.split(
    ' ',
  );

const TITLES = ['admonition-title', 'custom-block-title', 'title'];

/** An element of a page's content. */
export interface PageNode {
  readonly element: OpenElement;
  readonly attributes: Attributes;
  readonly children: PageChild[];
  /** Undefined for any other element. */
  heading?: { readonly level: number; readonly anchor: string | undefined };
  /** Whether it contains an element that begins a new line, a heading, or code in lines. */
  hasBlock: boolean;
  hasHeading: boolean;
  hasCode: boolean;
  /** Whether children of it were written and dropped, while it was open. */
  isWrittenInPart: boolean;
}

/** An element, or text. Outside of code, white space is one space. */
export type PageChild = PageNode | string;

/** Whether an element's text keeps its white space. */
export function isPreformatted(element: OpenElement): boolean {
  if (element.name === 'pre') return true;
  if (element.name !== 'div') return false;
  return ['fragment', 'member-signature', 'tsd-signature'].some((word) => hasClass(element, word));
}

/** Whether an element ends the line before it. */
export function isBlock(element: OpenElement): boolean {
  return (element.name !== 'br' && BLOCKS.has(element.name)) || isPreformatted(element);
}

/** Whether an element is a note, a warning or the like. */
export function isAdmonition(element: OpenElement): boolean {
  return element.name === 'div' && ADMONITIONS.some((word) => hasClass(element, word));
}

/** Whether an element has the title of a note that it is in. */
export function isAdmonitionTitle(element: OpenElement): boolean {
  if (!TITLES.some((word) => hasClass(element, word))) return false;
  let around = element.parent;
  for (let level = 0; level < 4 && around !== undefined; level++) {
    if (isAdmonition(around)) return true;
    around = around.parent;
  }
  return false;
}

/** Elements after which the tree is written and dropped, as far as they are closed. */
const PART = 5_000;

/** Makes trees of the content of a page, one after the other, so that a long page is never in memory as one. */
export class TreeBuilder implements ContentEvents {
  readonly root: PageNode = nodeOf(
    { name: '', id: undefined, classes: '', parent: undefined, sectioned: false, unseen: 0 },
    {},
  );
  private readonly opened: PageNode[] = [this.root];
  private readonly anchors = new AnchorFinder();
  private heading: { readonly node: PageNode; readonly level: number } | undefined;
  private preformatted = 0;
  private nodes = 0;
  /** Ids of elements that are left out, so far. */
  private anchorsLeftOut = 0;

  /**
   * @param passesOn whether an open element adds nothing to its content, so that this can be written before its end
   * @param write writes the tree. Returns how many blocks there are until then
   */
  constructor(
    private readonly budget: Budget,
    private readonly passesOn: (node: PageNode) => boolean,
    private readonly write: (root: PageNode) => number,
  ) {}

  open(element: OpenElement, attributes: Attributes): void {
    // Code in colors has most elements of a page, which say nothing in Markdown.
    if (this.preformatted > 0 && element.name === 'span' && element.id === undefined) return;
    this.nodes += 1;
    if (this.nodes > this.budget.limits.elements) {
      this.budget.stop('elements');
      return;
    }
    const node = nodeOf(element, keptOf(attributes));
    const level = levelOf(element);
    if (level !== undefined && this.heading === undefined) {
      this.anchors.openHeading(element);
      this.heading = { node, level };
    } else {
      this.anchors.open(element);
    }
    if (isPreformatted(element)) {
      this.preformatted += 1;
      this.mark('hasCode');
    }
    if (isBlock(element)) this.mark('hasBlock');
    this.current.children.push(node);
    this.opened.push(node);
  }

  close(element: OpenElement): void {
    if (this.current.element !== element) return;
    const node = this.opened.pop();
    if (isPreformatted(element)) this.preformatted -= 1;
    if (node !== undefined && node === this.heading?.node) this.closeHeading(node, this.heading.level);
    if (this.nodes > PART && isBlock(element)) this.writePart();
  }

  private closeHeading(node: PageNode, level: number): void {
    const { element } = node;
    this.heading = undefined;
    const anchor = this.anchors.closeHeading();
    if (isUnseenHeading(element) && anchor !== undefined) node.children.push(anchor);
    // `<div class="note"><h3 class="title">Note</h3>` of DocBook is no heading.
    if (!hasText(node) || (element.parent !== undefined && isAdmonition(element.parent))) return;
    node.heading = { level, anchor };
    this.mark('hasHeading');
  }

  text(part: string, element: OpenElement | undefined): void {
    if (this.heading !== undefined && isLinkSign(part, element)) return;
    const text = this.preformatted > 0 ? withoutInvisible(part) : withSingleSpaces(part);
    if (this.heading === undefined && text.trim() !== '') this.anchors.text();
    const { children } = this.current;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + text;
    else children.push(text);
  }

  anchor(id: string): void {
    this.anchorsLeftOut += 1;
    // A part that is left out may have hundreds of thousands, and text comes after it.
    if (this.anchorsLeftOut > this.budget.limits.anchors) return;
    this.current.children.push(nodeOf({ ...this.root.element, name: 'a', id }, NONE));
  }

  /** Writes the rest. Called once the page is read. */
  end(): void {
    this.write(this.root);
  }

  private writePart(): void {
    if (this.heading !== undefined || !this.opened.every((node) => this.passesOn(node))) return;
    if (this.write(this.root) > this.budget.limits.blocks) this.budget.stop('elements');
    for (const [at, node] of this.opened.entries()) {
      const open = this.opened[at + 1];
      node.children.splice(0, node.children.length, ...(open === undefined ? [] : [open]));
      node.isWrittenInPart = true;
    }
    this.nodes = 0;
  }

  private get current(): PageNode {
    return this.opened.at(-1) ?? this.root;
  }

  /** Marks the open elements. Stops at a marked one: the elements around it are marked already. */
  private mark(what: 'hasBlock' | 'hasHeading' | 'hasCode'): void {
    for (let at = this.opened.length - 1; at >= 0; at--) {
      const node = this.opened[at];
      if (node === undefined || node[what]) return;
      node[what] = true;
    }
  }
}

function nodeOf(element: OpenElement, attributes: Attributes): PageNode {
  return { element, attributes, children: [], ...NOTHING_YET };
}

const NOTHING_YET = { hasBlock: false, hasHeading: false, hasCode: false, isWrittenInPart: false };
const NONE: Attributes = {};

function keptOf(attributes: Attributes): Attributes {
  let kept: Record<string, string> | undefined;
  for (const name of KEPT_ATTRIBUTES) {
    const value = attributes[name];
    if (value === undefined || value.length > MAX_ATTRIBUTE) continue;
    kept ??= {};
    kept[name] = withoutInvisible(value);
  }
  return kept ?? NONE;
}

function hasText({ children }: PageNode): boolean {
  return children.some((child) => (typeof child === 'string' ? child.trim() !== '' : hasText(child)));
}
