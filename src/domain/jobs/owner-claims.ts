/** A claim whose patterns may only begin after a whole name of an owner. */
const PATH = /^[^/*]+\//;
/** A claim that only a whole value says enough of. */
const WHOLE = /^[^*]+$/;

/**
 * Claims that say whose a job is, and what the value of a condition has to be to name one owner. Owners choose names that
 * begin alike, so `acme*` names nobody.
 */
const OWNER_CLAIMS: Readonly<Record<string, readonly RegExp[]>> = {
  // GitHub, Forgejo and Gitea
  repository_owner: [WHOLE],
  repository_owner_id: [WHOLE],
  repository: [WHOLE, PATH],
  repository_id: [WHOLE],
  enterprise: [WHOLE],
  enterprise_id: [WHOLE],
  // GitLab
  namespace_id: [WHOLE],
  namespace_path: [WHOLE, PATH],
  project_id: [WHOLE],
  project_path: [WHOLE, PATH],
  // Buildkite, Bitbucket, CircleCI
  organization_id: [WHOLE],
  organization_slug: [WHOLE],
  workspaceUuid: [WHOLE],
  repositoryUuid: [WHOLE],
  'oidc.circleci.com/org-id': [WHOLE],
  'oidc.circleci.com/project-id': [WHOLE],
  // Everywhere; the patterns are those of GitHub and GitLab.
  sub: [WHOLE, /^repo:[^/*:]+\//, /^project_path:[^/*:]+\//],
};

/** Names of the claims that can say whose a job is. */
export const OWNER_CLAIM_NAMES: readonly string[] = Object.keys(OWNER_CLAIMS);

/**
 * Whether conditions on claims can only be met by jobs of owners that they name: one of the claims above has values, and
 * each of them names an owner.
 */
export function namesOwner(conditions: ReadonlyMap<string, readonly string[]>): boolean {
  return [...conditions].some(([claim, patterns]) => {
    const forms = Object.hasOwn(OWNER_CLAIMS, claim) ? OWNER_CLAIMS[claim] : undefined;
    if (forms === undefined || patterns.length === 0) return false;
    return patterns.every((pattern) => forms.some((form) => form.test(pattern)));
  });
}
