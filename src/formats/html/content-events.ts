import type { OpenElement } from './open-element.js';
import type { Attributes } from './parse-html.js';

/** Receiver of the content of a page: of its main part, without navigation and hidden text. */
export interface ContentEvents {
  open(element: OpenElement, attributes: Attributes): void;
  close(element: OpenElement): void;
  text(part: string, element: OpenElement | undefined): void;
  /** Called for an id of an element that is left out: it leads to the content that follows. */
  anchor?(id: string): void;
}
