import type { ContentEvents } from './content-events.js';
import { anchorOf } from './headings.js';
import { hasClass, type OpenElement } from './open-element.js';
import type { Attributes } from './parse-html.js';

/** Max. events in a term before its id. A longer one is text. */
const MAX_HELD = 100;

/**
 * Finds terms and signatures whose anchor is another element's, and notes it in `term` before they are passed on. Events
 * in one that may still hold an anchor are held back until that comes, or until the element ends.
 */
export class TermFinder implements ContentEvents {
  private term: OpenElement | undefined;
  private held: (() => void)[] = [];
  /** The `<a id>` that came last, while nothing has come after it. */
  private before: { readonly id: string; readonly parent: OpenElement | undefined } | undefined;

  /** @param isStopped whether the content takes no more */
  constructor(
    private readonly content: ContentEvents,
    private readonly isStopped: () => boolean,
  ) {}

  open(element: OpenElement, attributes: Attributes): void {
    const id = element.id === undefined || isReference(element, attributes) ? undefined : anchorOf(element);
    if (this.term !== undefined && id !== undefined && mayName(element, this.term)) {
      this.term.term = id;
      this.release();
    }
    const before = this.before?.parent === element.parent ? this.before?.id : undefined;
    if (isTermAfterAnchor(element, before)) {
      this.release();
      element.term = before;
    } else if (isTermAround(element)) {
      this.release();
      this.term = element;
    }
    this.before = element.name === 'a' && id !== undefined ? { id, parent: element.parent } : undefined;
    if (this.term === undefined) this.content.open(element, attributes);
    else this.hold(() => this.content.open(element, attributes));
  }

  close(element: OpenElement): void {
    if (element === this.term) this.release();
    if (this.term === undefined) this.content.close(element);
    else this.hold(() => this.content.close(element));
  }

  text(part: string, element: OpenElement | undefined): void {
    if (this.before !== undefined && part.trim() !== '') this.before = undefined;
    if (this.term === undefined) this.content.text(part, element);
    else this.hold(() => this.content.text(part, element));
  }

  anchor(id: string): void {
    if (this.term === undefined) this.content.anchor?.(id);
    else this.hold(() => this.content.anchor?.(id));
  }

  private hold(event: () => void): void {
    if (this.held.push(event) > MAX_HELD) this.release();
  }

  private release(): void {
    const events = this.held;
    this.term = undefined;
    this.held = [];
    for (const event of events) if (!this.isStopped()) event();
  }
}

/** Whether an element is a term or a signature if an `<a id>` stands right before it. */
function isTermAfterAnchor(element: OpenElement, before: string | undefined): before is string {
  const { name, id, parent } = element;
  if (before === undefined || id !== undefined) return false;
  if (name === 'dt') return true;
  if (parent === undefined) return false;
  // DocBook's signatures in C, and its lists of settings.
  return (name === 'p' && hasClass(parent, 'funcsynopsis')) || hasClass(parent, 'seglistitem');
}

/** Whether an element is a term or a signature if one in it has an id: `<dt><a id>`, Haddock's `<p class="src"><a id>`. */
function isTermAround(element: OpenElement): boolean {
  return element.id === undefined && (element.name === 'dt' || hasClass(element, 'src'));
}

function mayName(element: OpenElement, term: OpenElement): boolean {
  return term.name === 'dt' || hasClass(element, 'def');
}

/** Whether the id of an element is that of a reference to something else, such as a footnote: it is led back to by it. */
function isReference({ name, id }: OpenElement, { href }: Attributes): boolean {
  return name === 'sup' || (href !== undefined && href !== `#${id}`);
}
