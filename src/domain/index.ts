export * from './access/access-policy.js';
export * from './access/made-token.js';
export * from './access/people-issuer.js';
export * from './access/token-policy.js';
export * from './catalogue/bound-name.js';
export * from './catalogue/catalogue.js';
export {
  type ChosenProject,
  type ChosenVersion,
  chooseProjects,
  chooseVersion,
  closestVersion,
} from './catalogue/choose-version.js';
export * from './catalogue/contents.js';
export * from './catalogue/project-in-words.js';
export * from './clock.js';
export { closestNames, closestNamesInSteps, typosBetween } from './closest-names.js';
export * from './docinfo.js';
export * from './downloads.js';
export * from './fair-queue.js';
export * from './jobs.js';
export * from './lru-cache.js';
export * from './names/archive-name.js';
export { HostTable, hostLabelOf, type ShortHash, shortHash } from './names/host-names.js';
export * from './names/left-out-names.js';
export * from './names/spelling.js';
export * from './names/version-id.js';
export * from './preview.js';
export * from './project.js';
export * from './project-list.js';
export { descriptionOfFrontPage, frontPageTitle, titleFor } from './project-title.js';
export * from './publication-record.js';
export * from './quantities.js';
export * from './redirects/match-pages.js';
export * from './redirects/page-address.js';
export * from './redirects/parse-redirects.js';
export type { RedirectStatus, RedirectTarget } from './redirects/redirect-rule.js';
export { REDIRECTS_FILE, Redirects } from './redirects/redirects.js';
export { closestPages, SitePages } from './redirects/site-pages.js';
export { waysAlong } from './redirects/ways-along.js';
export * from './refusal/refusal.js';
export * from './refusal/refuse.js';
export * from './retention/retention-plan.js';
export * from './retention/retention-rules.js';
export * from './search-term.js';
export * from './settings/parse-settings.js';
export * from './settings/project-settings.js';
export * from './site-path.js';
export * from './source/shown-source.js';
export * from './source/source.js';
export * from './source/told-source.js';
export * from './usage/counts.js';
export * from './usage/unfound-searches.js';
export * from './usage/usage-sum.js';
export * from './version.js';
export * from './version-series.js';
