import { addressOfSection, isDrawn } from '../../domain/index.js';

/** The path of a page as agents are shown it: what an address would take for something else in it is percent-encoded. */
export function shownPath(path: string): string {
  return isDrawn(path) ? path : path.replace(/[#?%]/g, encodeURIComponent);
}

/** The path of a section as agents are shown it. */
export function shownSection(path: string, anchor: string | undefined): string {
  if (isDrawn(path)) return `./${addressOfSection(path, anchor)}`;
  return `${shownPath(path)}${anchor === undefined ? '' : `#${anchor}`}`;
}
