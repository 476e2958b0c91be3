/** A page that is a template: its builder puts something else here. */
export const PLACEHOLDER = /[{<]/;
/** Any address for a site that is below the root of its host, so that a link with `..` can lead out of it. */
export const SITE = 'http://site.invalid/site/';
/**
 * Scripts that rustdoc's pages ask for whether they are there or not: implementors of a trait in other crates, and methods of an alias
 * of a type.
 */
export const OPTIONAL = /^(?:.*\/)?(?:trait\.impl|type\.impl|implementors)\/.*\.js$/;
/** A scheme, a path from the root, a host, or only a query or a part of the page itself. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z0-9+.-]*:|[/\\?#]|$)/i;

/** Returns whether a link depends on the address of its page. */
export function isRelative(link: string): boolean {
  return !NOT_RELATIVE.test(link);
}
