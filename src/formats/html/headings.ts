import { hasClass, type OpenElement, Unseen } from './open-element.js';
import { withoutInvisible } from './text-run.js';

/** `h`, which SQLite's pages have, is a heading of no level. */
const LEVELS = new Map(Object.entries({ h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, h: 3 }));
/** Text of a link from a heading to itself. White space alone may be between two words of a link. */
const LINK_SIGN = /^(?:\s*[#¶§⚓🔗]\ufe0f?)+\s*$/u;
/** Longest id that is linked to. With a longer one, or one that is not seen as it is, a section has no anchor. */
const MAX_ANCHOR = 200;
/** DocBook has four: `<div class="sect1" id="x"><div class="titlepage"><div><div><h2>`. */
const MAX_LEVELS_UP = 4;

/** pgBackRest has no other headings. */
const SECTION_HEADER = /^section([1-5])-header$/;

/** Level of a term or signature that has an anchor: those of `h1` to `h6` are 1 to 6. */
export const TERM_LEVEL = 7;

/** Level of a heading; undefined for other elements. */
export function levelOf(element: OpenElement): number | undefined {
  const { name, id, classes, term } = element;
  if (term !== undefined) return TERM_LEVEL;
  if (id !== undefined && (name === 'dt' || (name === 'div' && hasClass(element, 'spec')))) return TERM_LEVEL;
  if (name !== 'div' || classes === undefined) return LEVELS.get(name);
  const level = SECTION_HEADER.exec(classes)?.[1];
  return level === undefined ? undefined : Number(level) + 1;
}

/** Whether a text inside a heading only links to it. */
export function isLinkSign(part: string, element: OpenElement | undefined): boolean {
  return element?.name === 'a' && LINK_SIGN.test(part);
}

/** Whether an element divides the page though nobody sees it, as `<h style="display:none">` of SQLite's pages does. */
export function isUnseenHeading({ name, unseen }: OpenElement): boolean {
  return name === 'h' && unseen === Unseen.gone;
}

/**
 * Finds the id to link to for each heading:
 * 1. the heading's own, or that of its term,
 * 2. one inside it: `<h2><a id="x"></a>Heading</h2>`,
 * 3. that of an `<a id>` right before it,
 * 4. that of an element around it, if this is the element's first heading: `<section id="x"><h2>`,
 * 5. that of an `<a id>` before it with no text in between: `<a name="x"></a><ul><li><h4>`.
 */
export class AnchorFinder {
  /** Elements that have had a heading, so that their id leads elsewhere. */
  private readonly headed = new WeakSet<OpenElement>();
  private mark: { readonly id: string; isNear: boolean } | undefined;
  private heading:
    | { inside: string | undefined; readonly otherwise: string | undefined; own: string | undefined }
    | undefined;

  open(element: OpenElement): void {
    const id = anchorOf(element);
    if (this.heading !== undefined) {
      this.heading.inside ??= id;
    } else if (element.name === 'a' && id !== undefined) {
      this.mark = { id, isNear: true };
    } else if (this.mark !== undefined) {
      this.mark.isNear = false;
    }
  }

  /** Called for text outside of headings. */
  text(): void {
    this.mark = undefined;
  }

  openHeading(element: OpenElement): void {
    const near = this.mark?.isNear ? this.mark.id : undefined;
    const otherwise = near ?? this.around(element) ?? this.mark?.id;
    this.heading = { own: anchorOf(element) ?? element.term, inside: undefined, otherwise };
    this.mark = undefined;
    for (let each = element.parent; each !== undefined && !this.headed.has(each); each = each.parent) {
      this.headed.add(each);
    }
  }

  /** The anchor of the heading that was opened last. */
  closeHeading(): string | undefined {
    const heading = this.heading;
    this.heading = undefined;
    return heading?.own ?? heading?.inside ?? heading?.otherwise;
  }

  private around(element: OpenElement): string | undefined {
    let { parent } = element;
    for (let level = 0; level < MAX_LEVELS_UP && parent !== undefined; level += 1) {
      if (this.headed.has(parent)) return undefined;
      const id = anchorOf(parent);
      if (id !== undefined) return id;
      parent = parent.parent;
    }
    return undefined;
  }
}

/** The id of an element, if it can be linked to. */
export function anchorOf({ id }: OpenElement): string | undefined {
  if (id === undefined || id.length > MAX_ANCHOR || /\s/.test(id)) return undefined;
  return withoutInvisible(id) === id ? id : undefined;
}
