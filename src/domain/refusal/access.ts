import { quote, Refusal, type Setting, unavailable, visible } from './refusal.js';

function unauthenticated(message: string, setting?: Setting, facts: Refusal['facts'] = {}): Refusal {
  return new Refusal('authentication_required', message, facts, { setting });
}

/** Refusals for want of a token or of a right. */
export const refuseAccess = {
  noTokensConfigured: () =>
    unauthenticated('No tokens are configured, so nothing can be uploaded or deleted', 'tokens'),

  missingToken: () => unauthenticated('A token is required', 'token'),

  unknownToken: () => unauthenticated('The token is unknown; check it for typos (tokens are case-sensitive)'),

  /** @param maker of a token that another one has made */
  expiredToken: (token: string, end: Date, maker?: string) =>
    unauthenticated(
      `Token ${quote(token)} has expired, on ${end.toISOString()}; ask the administrator of this server for a new one`,
      undefined,
      maker === undefined ? { token } : { token, maker },
    ),

  /** A job's token where no entry of `trusted_issuers` has its issuer, or no token of a job at all. */
  untrustedIssuer: () =>
    unauthenticated('This is not a job token from an issuer that this server trusts', 'token_of_file'),

  /** @param subject what the issuer says that the job is; undefined while that is not known for sure */
  jobNotAccepted: (why: string, subject?: string) =>
    unauthenticated(
      `The job token was not accepted: ${why}`,
      undefined,
      subject === undefined ? {} : { job: subject },
    ),

  /** An access token of an issuer of people that does not count. */
  accessTokenNotAccepted: (why: string) =>
    unauthenticated(`The access token was not accepted: ${why}; sign in again`),

  /** An access token that counts, of somebody whom this server does not take. */
  personNotAccepted: (why: string) =>
    new Refusal(
      'person_not_accepted',
      visible(
        `You are signed in, but this server does not accept the access token: ${why}; ask the administrator of this server`,
      ),
      {},
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
      `Project ${quote(project)} does not exist yet, and token ${quote(token)} may only publish to existing projects; check the name`,
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

  manageAllNotAllowed: (token: string) =>
    new Refusal(
      'manage_not_allowed',
      `Token ${quote(token)} may not see this, since it may not manage every project; use a token with 'allow_manage', and without 'projects' and 'previews_only'`,
      { token },
    ),

  /** @param why what the token may not do, and what to do next */
  tokensNotAllowed: (token: string, why: string) =>
    new Refusal('tokens_not_allowed', visible(`Token ${quote(token)} ${why}`), { token }),

  tokenNameTaken: (name: string) =>
    new Refusal('name_taken', `Token ${quote(name)} already exists; use another name, or revoke it first`, {
      name,
    }),

  tokenNotFound: (name: string) =>
    new Refusal('token_not_found', `Token ${quote(name)} does not exist`, { name }),

  /** @param place of the made tokens, for people */
  tokensDamaged: (place: string, options?: ErrorOptions) =>
    unavailable(
      `Tokens created by other tokens do not work, since ${place} cannot be read; repair or remove it`,
      options,
    ),

  issuerUnavailable: (options?: ErrorOptions) =>
    unavailable('Cannot fetch the keys of the issuer to verify this token; try again later', options),
};
