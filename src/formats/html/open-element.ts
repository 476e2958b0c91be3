import type { Attributes } from './parse-html.js';

/** Characters of a `class` that are looked at. */
const MAX_CLASSES = 1_000;
const SECTIONING = new Set(['article', 'section', 'main']);
/** Elements that begin a new line. */
export const BLOCKS: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure header ' +
    'hgroup hr h1 h2 h3 h4 h5 h6 li main menu ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);

/** An open element of the page, with the elements around it. */
export interface OpenElement {
  readonly name: string;
  /** The attribute `id`; for `a` also `name`. */
  readonly id: string | undefined;
  /** The attribute `class`. */
  readonly classes: string | undefined;
  readonly parent: OpenElement | undefined;
  /** It is an `article`, a `section` or `main`, or is in one. */
  readonly sectioned: boolean;
  /** Reasons why text in it is not seen: bits of `Unseen`. */
  readonly unseen: number;
  /** The anchor that leads to a term or a signature without an id. `TermFinder` sets it. */
  term?: string;
}

/** Reasons why readers cannot see the text of an element. */
export const Unseen = {
  /** `visibility`: an element in it may be visible. */
  visibility: 1,
  /** Size of letters: an element in it may have another one. */
  size: 2,
  /** Nothing in it is seen. */
  gone: 4,
} as const;

export function openElement(
  name: string,
  attributes: Attributes,
  parent: OpenElement | undefined,
): OpenElement {
  return {
    name,
    id: idIn(name, attributes),
    classes: attributes.class?.slice(0, MAX_CLASSES),
    parent,
    sectioned: parent?.sectioned === true || SECTIONING.has(name),
    unseen: parent?.unseen ?? 0,
  };
}

/** The id of an element, for `a` also its `name`. */
export function idIn(name: string, attributes: Attributes): string | undefined {
  return attributes.id || (name === 'a' && attributes.name) || undefined;
}

/** Whether one of the words of `class` is this one. */
export function hasClass({ classes }: OpenElement, word: string): boolean {
  // Making strings takes time, and most elements lack the word.
  return classes?.includes(word) === true && ` ${classes} `.includes(` ${word} `);
}
