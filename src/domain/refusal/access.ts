import { quote, Refusal, type Setting, unavailable, visible } from './refusal.js';

function unauthenticated(message: string, setting?: Setting, facts: Refusal['facts'] = {}): Refusal {
  return new Refusal('authentication_required', message, facts, { setting });
}

/** Refusals for want of a token or of a right. */
export const refuseAccess = {
  noTokensConfigured: () =>
    unauthenticated('There are no tokens, so nothing can be uploaded or deleted', 'tokens'),

  missingToken: () => unauthenticated('This needs a token', 'token'),

  unknownToken: () =>
    unauthenticated('The token is unknown; check it for typing errors (tokens are case-sensitive)'),

  /** @param maker of a token that another one has made */
  expiredToken: (token: string, end: Date, maker?: string) =>
    unauthenticated(
      `Token ${quote(token)} has expired, on ${end.toISOString()}; ask whoever runs this server for another one`,
      undefined,
      maker === undefined ? { token } : { token, maker },
    ),

  /** A job's token where no entry of `trusted_issuers` has its issuer, or no token of a job at all. */
  untrustedIssuer: () =>
    unauthenticated('This is no token of a job whose issuer is trusted here', 'token_of_file'),

  /** @param subject what the issuer says that the job is; undefined while that is not known for sure */
  jobNotAccepted: (why: string, subject?: string) =>
    unauthenticated(
      `The token of this job is not accepted: ${why}`,
      undefined,
      subject === undefined ? {} : { job: subject },
    ),

  projectNotAllowed: (project: string, token: string) =>
    new Refusal(
      'project_not_allowed',
      `Token ${quote(token)} may not change project ${quote(project)}; use a token whose 'projects' names it`,
      { project, token },
    ),

  versionNotAllowed: (token: string) =>
    new Refusal(
      'version_not_allowed',
      `Token ${quote(token)} may publish previews only; name the file '<project>~<name>-docs.zip', or use another token`,
      { token },
    ),

  projectNotExisting: (project: string, token: string) =>
    new Refusal(
      'project_not_existing',
      `Project ${quote(project)} does not exist yet, and token ${quote(token)} may only publish to projects that do; check the name`,
      { project, token },
    ),

  deleteNotAllowed: (token: string) =>
    new Refusal(
      'delete_not_allowed',
      `Token ${quote(token)} may not delete versions; use a token with 'allow_delete' and without 'previews_only'`,
      { token },
    ),

  manageNotAllowed: (token: string) =>
    new Refusal(
      'manage_not_allowed',
      `Token ${quote(token)} may neither change the settings of projects nor restore versions; use a token with 'allow_manage' and without 'previews_only'`,
      { token },
    ),

  /** @param why what the token may not do, and what to do next */
  tokensNotAllowed: (token: string, why: string) =>
    new Refusal('tokens_not_allowed', visible(`Token ${quote(token)} ${why}`), { token }),

  tokenNameTaken: (name: string) =>
    new Refusal(
      'name_taken',
      `There is a token ${quote(name)} already; use another name, or revoke that one first`,
      { name },
    ),

  tokenNotFound: (name: string) =>
    new Refusal('token_not_found', `There is no token ${quote(name)}`, { name }),

  /** @param place of the made tokens, for people */
  tokensDamaged: (place: string, options?: ErrorOptions) =>
    unavailable(
      `The tokens that were made cannot be read, so none of them counts; mend or remove ${place}`,
      options,
    ),

  issuerUnavailable: (options?: ErrorOptions) =>
    unavailable(
      'The issuer of this token gives no keys to check it by, so nothing is known of the job; try again later',
      options,
    ),
};
