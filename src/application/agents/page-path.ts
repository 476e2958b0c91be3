/** The path of a page as agents are shown it: what an address would take for something else in it is percent-encoded. */
export function shownPath(path: string): string {
  return path.replace(/[#?%]/g, encodeURIComponent);
}
