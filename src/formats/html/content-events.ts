import type { OpenElement } from './open-element.js';
import type { Attributes } from './parse-html.js';

/** Receiver of the content of a page: of its main part, without navigation and what nobody can see. */
export interface ContentEvents {
  open(element: OpenElement, attributes: Attributes): void;
  close(element: OpenElement): void;
  text(part: string, element: OpenElement | undefined): void;
  /** An element that is left out has this id: what follows is what it stands for. */
  anchor?(id: string): void;
}
