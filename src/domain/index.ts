export * from './access/access-policy.js';
export * from './access/actor.js';
export * from './access/made-token.js';
export * from './access/token-policy.js';
export * from './access/trusted-issuer.js';
export * from './catalogue/bound-name.js';
export * from './catalogue/catalogue.js';
export * from './catalogue/choose-version.js';
export { type Contents, VisibleCatalogue } from './catalogue/contents.js';
export * from './catalogue/located.js';
export * from './catalogue/reader.js';
export * from './catalogue/searched-versions.js';
export * from './clock.js';
export { closestNames, closestNamesInSteps, typosBetween } from './closest-names.js';
export * from './docinfo.js';
export * from './fair-queue.js';
export * from './front-page.js';
export * from './lru-cache.js';
export * from './names/archive-name.js';
export { HostTable, hostLabelOf, type ShortHash, shortHash } from './names/host-names.js';
export * from './names/plain-name.js';
export * from './names/spelling.js';
export { isSemantic, type VersionId } from './names/version-id.js';
export * from './preview.js';
export * from './project.js';
export * from './project-list.js';
export * from './publication-record.js';
export * from './quantities.js';
export {
  type CommonPage,
  isComparedPage,
  type MatchedPages,
  matchPages,
  movedPages,
} from './redirects/match-pages.js';
export {
  addressOfPage,
  addressOfSection,
  isAscii,
  isDrawn,
  PageAddress,
  redirectLine,
} from './redirects/page-address.js';
export {
  describeProblems,
  MAX_REDIRECTS,
  MAX_REDIRECTS_BYTES,
  parseRedirects,
  redirectsTooLarge,
} from './redirects/parse-redirects.js';
export type { RedirectStatus, RedirectTarget } from './redirects/redirect-rule.js';
export { REDIRECTS_FILE, Redirects } from './redirects/redirects.js';
export { closestPages, SitePages } from './redirects/site-pages.js';
export * from './refusal/refusal.js';
export * from './refusal/refuse.js';
export * from './retention/retention-plan.js';
export * from './retention/retention-rules.js';
export * from './search-term.js';
export * from './settings/parse-settings.js';
export * from './settings/project-settings.js';
export * from './site-path.js';
export * from './site-warning.js';
export * from './url-component.js';
export * from './usage/counts.js';
export * from './usage/day.js';
export * from './usage/usage-sum.js';
export * from './usage/usage-tallies.js';
export * from './version.js';
export * from './version-series.js';
