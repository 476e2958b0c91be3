export { closestPages } from './closest-pages.js';
export { addressOfPage, PageAddress, redirectLine } from './page-address.js';
export {
  describeProblems,
  MAX_REDIRECTS,
  MAX_REDIRECTS_BYTES,
  parseRedirects,
  redirectsTooLarge,
} from './parse-redirects.js';
export type { RedirectStatus, RedirectTarget } from './redirect-rule.js';
export { REDIRECTS_FILE, Redirects } from './redirects.js';
export { SitePages } from './site-pages.js';
