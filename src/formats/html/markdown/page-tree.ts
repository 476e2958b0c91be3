import type { ContentEvents } from '../content-events.js';
import { AnchorFinder, isLinkSign, isUnseenHeading, levelOf } from '../headings.js';
import { BLOCKS, hasClass, type OpenElement } from '../open-element.js';
import type { Attributes } from '../parse-html.js';
import type { Budget } from '../reading-limits.js';
import { withoutInvisible, withSingleSpaces } from '../text-run.js';

/** Max. elements of a page: some 300 bytes each. The largest page of ten packages of Debian has 63,000. */
const MAX_NODES = 150_000;
/** Max. elements that begin a new line, and max. blocks of Markdown. The largest of those pages has 17,400. */
export const MAX_BLOCKS = 50_000;
/** Max. characters of an attribute, such as the target of a link or the text of an image. */
const MAX_ATTRIBUTE = 2_000;
const KEPT_ATTRIBUTES = ['href', 'alt', 'start', 'colspan', 'rowspan', 'data-lang', 'encoding'] as const;
const ADMONITIONS =
  'admonition admonitionblock theme-admonition custom-block alert note tip warning caution important danger'.split(
    ' ',
  );

/** An element of a page's content. */
export interface PageNode {
  readonly element: OpenElement;
  readonly attributes: Attributes;
  readonly children: PageChild[];
  /** Undefined for what is no heading. */
  heading?: { readonly level: number; readonly anchor: string | undefined };
  /** Whether it contains an element that begins a new line, a heading, or code in lines. */
  hasBlock: boolean;
  hasHeading: boolean;
  hasCode: boolean;
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

/** Makes a tree of the content of a page. */
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
  private blocks = 0;
  private characters = 0;

  constructor(private readonly budget: Budget) {}

  open(element: OpenElement, attributes: Attributes): void {
    this.nodes += 1;
    if (isBlock(element)) this.blocks += 1;
    if (this.nodes > MAX_NODES || this.blocks > MAX_BLOCKS) {
      this.budget.stop('characters');
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
    const node = this.opened.pop();
    if (isPreformatted(element)) this.preformatted -= 1;
    if (node === undefined || node !== this.heading?.node) return;
    const { level } = this.heading;
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
    const fitting = text.slice(0, Math.max(0, this.budget.limits.characters - this.characters));
    this.characters += fitting.length;
    if (this.heading === undefined && fitting.trim() !== '') this.anchors.text();
    const { children } = this.current;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + fitting;
    else children.push(fitting);
    if (this.characters >= this.budget.limits.characters) this.budget.stop('characters');
  }

  private get current(): PageNode {
    return this.opened.at(-1) ?? this.root;
  }

  /** Marks the open elements. Those around a marked one are marked. */
  private mark(what: 'hasBlock' | 'hasHeading' | 'hasCode'): void {
    for (let at = this.opened.length - 1; at >= 0; at--) {
      const node = this.opened[at];
      if (node === undefined || node[what]) return;
      node[what] = true;
    }
  }
}

function nodeOf(element: OpenElement, attributes: Attributes): PageNode {
  return { element, attributes, children: [], hasBlock: false, hasHeading: false, hasCode: false };
}

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
