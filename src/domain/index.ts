export * from './access/access-policy.js';
export * from './access/access-rules.js';
export * from './actor.js';
export * from './bound-name.js';
export * from './catalogue/catalogue.js';
export type { Contents } from './catalogue/contents.js';
export * from './catalogue/located.js';
export * from './catalogue/reader.js';
export { VisibleCatalogue } from './catalogue/visible-catalogue.js';
export * from './catalogue/why-not-published.js';
export * from './chosen-version/choose-project.js';
export * from './chosen-version/choose-version.js';
export * from './clock/clock.js';
export * from './clock/round.js';
export { closestNamesInSteps } from './closest/closest-in-steps.js';
export * from './closest/closest-names.js';
export * from './closest/edit-distance.js';
export {
  type CommonPage,
  isComparedPage,
  type MatchedPages,
  matchPages,
  movedPages,
} from './comparison/match-pages.js';
export * from './docinfo.js';
export * from './fair-queue.js';
export * from './front-page.js';
export { hostLabelOf, type ShortHash, shortHash } from './hosts/host-label.js';
export * from './hosts/host-table.js';
export * from './jobs/claim-pattern.js';
export * from './jobs/claims.js';
export * from './jobs/job-projects.js';
export * from './jobs/owner-claims.js';
export * from './jobs/trusted-issuer.js';
export * from './lru-cache.js';
export * from './names/archive-name.js';
export * from './names/plain-name.js';
export * from './names/spelling.js';
export * from './names/version-id.js';
export * from './names/version-name.js';
export * from './previews/lifetime.js';
export * from './previews/preview.js';
export * from './previews/previews.js';
export * from './project.js';
export * from './project-filter.js';
export * from './project-order.js';
export * from './publication-record.js';
export * from './quantities.js';
export { closestPages } from './redirects/closest-pages.js';
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
export { SitePages } from './redirects/site-pages.js';
export * from './refusal.js';
export * from './release-status.js';
export * from './retention/retention-plan.js';
export * from './retention/retention-rules.js';
export * from './search/max-results.js';
export * from './search/project-search.js';
export * from './search/search-term.js';
export * from './search/searched-versions.js';
export * from './search/words-of-page.js';
export { isSemantic } from './semantic-version.js';
export * from './settings/parse-settings.js';
export * from './settings/project-description.js';
export * from './settings/project-settings.js';
export * from './settings/series.js';
export * from './site-path.js';
export * from './site-warning.js';
export * from './tokens/made-token.js';
export * from './tokens/project-pattern.js';
export * from './tokens/token-expiry.js';
export * from './tokens/token-policy.js';
export * from './url-component.js';
export * from './usage/counted-requests.js';
export * from './usage/counts.js';
export * from './usage/day.js';
export * from './usage/usage-sum.js';
export * from './usage/usage-tallies.js';
export * from './version.js';
export * from './version-series.js';
