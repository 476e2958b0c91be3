import type { ContentEvents } from '../content-events.js';
import type { OpenElement } from '../open-element.js';
import type { Attributes } from '../parse-html.js';
import type { Budget } from '../reading-limits.js';

/** Max. events that are held back: a table of contents of some 4,000 lines. */
const MAX_HELD = 20_000;
/** Characters of text, and headings, that the beginning of the content has at most. */
const BEGINNING = 200;
const HEADINGS_OF_BEGINNING = 2;
const HEADING = /^h[1-6]$/;

type HeldEvent =
  | { readonly type: 'open'; readonly element: OpenElement; readonly attributes: Attributes }
  | { readonly type: 'close'; readonly element: OpenElement }
  | { readonly type: 'text'; readonly part: string; readonly element: OpenElement | undefined }
  | { readonly type: 'anchor'; readonly id: string };

/** Events, from one index to another, and when they are dropped: a title, with the list below it. */
interface Mark {
  start: number;
  end: number;
  readonly when: 'always' | 'at the end' | 'with a list';
}

/** Events of content that are held back until it is known which of them to drop. */
export class HeldEvents {
  private readonly events: HeldEvent[] = [];
  private marks: Mark[] = [];
  private headings = 0;
  private characters = 0;
  private isInHeading = false;
  hasDropped = false;

  constructor(
    private readonly content: ContentEvents,
    private readonly budget: Budget,
  ) {}

  get length(): number {
    return this.events.length;
  }

  /** Whether text other than headings was passed on. */
  get hasText(): boolean {
    return this.characters > 0;
  }

  /** Whether hardly any text was passed on. */
  get isBeginning(): boolean {
    return this.characters < BEGINNING && this.headings <= HEADINGS_OF_BEGINNING;
  }

  countHeading(): void {
    this.headings += 1;
  }

  /** Like `close` and `text`: holds an event back if asked to, or if others are held back. Returns whether there is room for more. */
  open(element: OpenElement, attributes: Attributes, isHeld: boolean): boolean {
    if (isHeld || this.events.length > 0) return this.add({ type: 'open', element, attributes });
    this.content.open(element, attributes);
    return true;
  }

  close(element: OpenElement, isHeld: boolean): boolean {
    if (isHeld || this.events.length > 0) return this.add({ type: 'close', element });
    this.content.close(element);
    return true;
  }

  text(part: string, element: OpenElement | undefined, isHeld: boolean): boolean {
    if (isHeld || this.events.length > 0) return this.add({ type: 'text', part, element });
    this.passOnText(part, element);
    return true;
  }

  anchor(id: string, isHeld: boolean): boolean {
    if (isHeld || this.events.length > 0) return this.add({ type: 'anchor', id });
    this.content.anchor?.(id);
    return true;
  }

  /** Marks the events from an index on, in place of marks within them. */
  mark(start: number, when: Mark['when']): void {
    while ((this.marks.at(-1)?.start ?? -1) >= start) this.marks.pop();
    this.marks.push({ start, end: this.events.length, when });
  }

  /** Marks a list with the title right before it. Returns whether there is one. */
  markWithTitle(start: number): boolean {
    const title = this.marks.findLast((mark) => mark.start < start);
    if (title?.when !== 'with a list') return false;
    const hasText = this.events
      .slice(title.end, start)
      .some((event) => event.type === 'text' && event.part.trim() !== '');
    if (hasText) return false;
    this.mark(title.start, 'always');
    return true;
  }

  /** Passes on the first events, without those to drop. */
  release(count: number, isEnd: boolean): void {
    if (count === 0) return;
    const wasStopped = this.budget.stopped;
    if (this.marks.length === 0) {
      this.passOnAll(0, count, wasStopped);
      if (count === this.events.length) this.events.length = 0;
      else this.events.splice(0, count);
      return;
    }
    let at = 0;
    for (const { start, end, when } of this.marks) {
      if (start >= count) break;
      if (when === 'with a list' || (when === 'at the end' && !isEnd)) continue;
      this.passOnAll(at, start, wasStopped);
      this.passOnAnchors(start, end);
      at = end;
      this.hasDropped = true;
    }
    this.passOnAll(at, count, wasStopped);
    this.events.splice(0, count);
    this.marks = this.marks
      .filter(({ start }) => start >= count)
      .map((mark) => ({ ...mark, start: mark.start - count, end: mark.end - count }));
  }

  private passOnAll(from: number, to: number, wasStopped: boolean): void {
    for (let at = from; at < to; at += 1) {
      const event = this.events[at];
      if (event === undefined || this.budget.stopped !== wasStopped) return;
      this.passOn(event);
    }
  }

  /** Passes on the ids of dropped elements, which may be linked to. */
  private passOnAnchors(from: number, to: number): void {
    for (const event of this.events.slice(from, to)) {
      const id = event.type === 'anchor' ? event.id : event.type === 'open' ? event.element.id : undefined;
      if (id !== undefined) this.content.anchor?.(id);
    }
  }

  private passOn(event: HeldEvent): void {
    if (event.type === 'anchor') {
      this.content.anchor?.(event.id);
      return;
    }
    if (event.type === 'text') {
      this.passOnText(event.part, event.element);
      return;
    }
    if (HEADING.test(event.element.name)) this.isInHeading = event.type === 'open';
    if (event.type === 'open') this.content.open(event.element, event.attributes);
    else this.content.close(event.element);
  }

  passOnText(part: string, element: OpenElement | undefined): void {
    if (!this.isInHeading && this.characters < BEGINNING) this.characters += part.trim().length;
    this.content.text(part, element);
  }

  private add(event: HeldEvent): boolean {
    this.events.push(event);
    return this.events.length < MAX_HELD;
  }
}
