import { type OpenElement, Unseen } from './open-element.js';

/** Level of a term that has an id: those of `h1` to `h6` are 1 to 6. */
export const TERM_LEVEL = 7;
/** `h`, which SQLite's pages have, is a heading of no level. */
const LEVELS = new Map(Object.entries({ h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6, h: 3 }));
/** Text of a link from a heading to itself. */
const LINK_SIGN = /^(?:[\s#¶§⚓🔗]|\ufe0f)*$/u;

/** Level of a heading; undefined for other elements. */
export function levelOf({ name, id }: OpenElement): number | undefined {
  return name === 'dt' ? (id === undefined ? undefined : TERM_LEVEL) : LEVELS.get(name);
}

/** Whether a text inside a heading only links to it. */
export function isLinkSign(part: string, element: OpenElement | undefined): boolean {
  return element?.name === 'a' && LINK_SIGN.test(part);
}

/** Whether an element divides the page though nobody sees it, as `<h style="display:none">` of SQLite's pages does. */
export function isUnseenHeading({ name, unseen }: OpenElement): boolean {
  return name === 'h' && unseen === Unseen.gone;
}
