import { isLeftOut, isNeverShown } from './left-out.js';
import { type OpenElement, openElement } from './open-element.js';
import type { PageHead } from './page-head.js';
import type { Attributes, HtmlEvents } from './parse-html.js';

/** Receiver of the content of a page: of its main part, without navigation. */
export interface ContentEvents {
  open(element: OpenElement, attributes: Attributes): void;
  close(element: OpenElement): void;
  text(part: string, element: OpenElement | undefined): void;
}

/** `main`: only what is in `<main>` or `[role=main]`. `page`: all of it. Navigation is left out of both. */
export type Scope = 'main' | 'page';

const MAIN = /<main[\s>]|\brole\s*=\s*["']?main\b/i;

/** Whether the page seems to say what its main part is. It may still stand in a script. */
export function mayHaveMain(html: string): boolean {
  return MAIN.test(html);
}

/** Passes on the content of a page, and tells its head what the page says about itself. */
export class ContentReader implements HtmlEvents {
  private element: OpenElement | undefined;
  /** Number of open elements in the part that is being left out, itself included. */
  private leftOut = 0;
  private main: OpenElement | undefined;

  constructor(
    private readonly scope: Scope,
    private readonly head: PageHead,
    private readonly content: ContentEvents,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.leftOut > 0) {
      this.leftOut += 1;
      return;
    }
    this.head.open(name, attributes);
    const element = openElement(name, attributes, this.element);
    if (name === 'title' || isNeverShown(name) || (this.isInside && isLeftOut(element, attributes))) {
      this.leftOut = 1;
      return;
    }
    this.element = element;
    if (!this.isInside && (name === 'main' || attributes.role === 'main')) this.main = element;
    if (this.isInside) this.content.open(element, attributes);
  }

  close(): void {
    if (this.leftOut > 0) {
      this.leftOut -= 1;
      if (this.leftOut === 0) this.head.closeTitle();
      return;
    }
    const element = this.element;
    if (element === undefined) return;
    if (this.isInside) this.content.close(element);
    if (element === this.main) this.main = undefined;
    this.element = element.parent;
  }

  text(part: string): void {
    if (this.leftOut > 0) this.head.text(part);
    else if (this.isInside) this.content.text(part, this.element);
  }

  private get isInside(): boolean {
    return this.scope === 'page' || this.main !== undefined;
  }
}
