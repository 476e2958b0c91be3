const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const LINKED_SCHEME = /^(?:https?|mailto):/i;
const RELATIVE_PAGE = /^(?![/#?])([^?#]*\.x?html?)(?=[?#]|$)/i;

/**
 * Where a link leads in the Markdown of a page: relative to that page, and from page to page to the Markdown, which has
 * the address of the page with `.md` behind it. Undefined for what is no address, such as a script.
 */
export function markdownTarget(href: string): string | undefined {
  if (href === '') return undefined;
  if (SCHEME.test(href)) return LINKED_SCHEME.test(href) ? href : undefined;
  return href.replace(RELATIVE_PAGE, '$1.md');
}
