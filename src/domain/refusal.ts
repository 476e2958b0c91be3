import { LIFETIME_RULE } from './previews/lifetime.js';
import { counted } from './quantities.js';
import type { SiteWarning } from './site-warning.js';

/**
 * Code of a refusal. The list is closed: adapters map every code, so a new one does not compile until each adapter
 * handles it.
 */
export type RefusalCode =
  | 'invalid_request'
  | 'invalid_filename'
  | 'invalid_archive'
  | 'invalid_settings'
  | 'authentication_required'
  | 'project_not_allowed'
  | 'version_not_allowed'
  | 'project_not_existing'
  | 'delete_not_allowed'
  | 'manage_not_allowed'
  | 'tokens_not_allowed'
  | 'project_not_found'
  | 'version_not_found'
  | 'preview_not_found'
  | 'token_not_found'
  | 'version_exists'
  | 'name_taken'
  | 'upload_too_large'
  | 'archive_too_large'
  | 'site_has_warnings'
  | 'unavailable'
  | 'insufficient_storage';

/** An error that refuses a request: a code for programs, a sentence for people, and the facts. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly facts: Readonly<Record<string, string | number>> = {},
    options?: ErrorOptions & {
      /** The setting that caused the refusal, if any. */
      readonly setting?: Setting | undefined;
      /** The warnings that caused it. */
      readonly warnings?: readonly SiteWarning[] | undefined;
    },
  ) {
    super(message, options);
    this.setting = options?.setting;
    this.warnings = options?.warnings;
  }

  readonly setting: Setting | undefined;
  readonly warnings: readonly SiteWarning[] | undefined;
}

/** A setting that the operator or the sender of a request can change. Adapters name the flag or the header. */
export type Setting =
  | 'tokens'
  | 'token'
  | 'token_of_file'
  | 'upload_size'
  | 'extracted_size'
  | 'files'
  | 'ratio'
  | 'free_space';

/** A limit that was exceeded. */
export interface PassedLimit {
  readonly setting: Setting;
  readonly limit: number;
  readonly met: number;
  readonly unit: 'bytes' | 'files' | 'times its size';
}

const EXPECTED_NAME = "name it '<project>-<version>-docs.zip', for example 'my-project-1.0.0-docs.zip'";

/** Constructors of all refusals, one per reason, so that each is worded in one place. */
export const refuse = {
  invalidFilename: (fileName: string, why: string) =>
    new Refusal('invalid_filename', `The file name ${quote(fileName)} ${why}; ${EXPECTED_NAME}`, {
      fileName,
    }),

  invalidPreviewFilename: (fileName: string, why: string) =>
    new Refusal(
      'invalid_filename',
      `The file name ${quote(fileName)} is refused: ${why}; name a preview '<project>~<name>-docs.zip', for example 'my-project~pr-123-docs.zip'`,
      { fileName },
    ),

  /** @param text the invalid lifetime of a preview */
  invalidLifetime: (text: string) =>
    new Refusal('invalid_request', `'expires' is ${quote(text)}; write ${LIFETIME_RULE}`, { text }),

  siteHasWarnings: (name: string, warnings: readonly SiteWarning[]) =>
    new Refusal(
      'site_has_warnings',
      `${name} was not published, since the upload is strict and there ${warnings.length === 1 ? 'is' : 'are'} ${counted(warnings.length, 'warning')}; nothing was changed`,
      { name },
      { warnings },
    ),

  lifetimeOfVersion: (fileName: string) =>
    new Refusal(
      'invalid_request',
      `'expires' is for previews, and ${quote(fileName)} is a version; leave it out, or name the file '<project>~<name>-docs.zip'`,
      { fileName },
    ),

  invalidArchive: (why: string, entry?: string, options?: ErrorOptions) =>
    entry === undefined
      ? new Refusal('invalid_archive', `The archive was refused: ${why}`, {}, options)
      : new Refusal(
          'invalid_archive',
          `The archive was refused: entry ${quote(entry)} ${why}`,
          { entry },
          options,
        ),

  invalidSettings: (project: string, why: string) =>
    new Refusal('invalid_settings', `Invalid settings for project ${quote(project)}: ${why}`, {
      project,
    }),

  noTokensConfigured: () =>
    new Refusal(
      'authentication_required',
      'There are no tokens, so nothing can be uploaded or deleted',
      {},
      { setting: 'tokens' },
    ),

  missingToken: () => new Refusal('authentication_required', 'This needs a token', {}, { setting: 'token' }),

  unknownToken: () =>
    new Refusal(
      'authentication_required',
      'The token is unknown; check it for typing errors (tokens are case-sensitive)',
    ),

  /** @param maker of a token that another one has made */
  expiredToken: (token: string, end: Date, maker?: string) =>
    new Refusal(
      'authentication_required',
      `Token ${quote(token)} has expired, on ${end.toISOString()}; ask whoever runs this server for another one`,
      maker === undefined ? { token } : { token, maker },
    ),

  /** A job's token where no entry of `trusted_issuers` has its issuer, or no token of a job at all. */
  untrustedIssuer: () =>
    new Refusal(
      'authentication_required',
      'This is no token of a job whose issuer is trusted here',
      {},
      { setting: 'token_of_file' },
    ),

  /** @param subject what the issuer says that the job is; undefined while that is not known for sure */
  jobNotAccepted: (why: string, subject?: string) =>
    new Refusal(
      'authentication_required',
      `The token of this job is not accepted: ${why}`,
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

  /** @param owner the project of `existing`, which is a project or a version */
  projectSpelledOtherwise: (name: string, existing: string, owner: string) =>
    new Refusal(
      'project_not_allowed',
      `${quote(existing)} exists, and the file system of this server ignores upper and lower case, so there can be no ${quote(name)}; upload to project ${quote(owner)}, with a token that may change it`,
      { name, existing },
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
    new Refusal(
      'unavailable',
      `The tokens that were made cannot be read, so none of them counts; mend or remove ${place}`,
      {},
      options,
    ),

  versionExists: (project: string, version: string, token: string) =>
    new Refusal(
      'version_exists',
      `${project} ${version} already exists, and token ${quote(token)} may not overwrite it; upload another version, or use a token with 'allow_overwrite'`,
      { project, version, token },
    ),

  /** @param by what has the address, for people */
  nameTaken: (directoryName: string, by: string) =>
    new Refusal(
      'name_taken',
      `The address /${directoryName}/ is that of ${by}; use another name, or remove that first`,
      { directoryName },
    ),

  versionSpelledOtherwise: (name: string, existing: string) =>
    new Refusal(
      'version_exists',
      `${quote(existing)} exists, and the file system of this server ignores upper and lower case, so there can be no ${quote(name)}; use the spelling that exists, or delete that version first`,
      { name, existing },
    ),

  projectNotFound: (project: string) =>
    new Refusal('project_not_found', `There is no project ${quote(project)}`, { project }),

  versionNotFound: (project: string, version: string) =>
    new Refusal('version_not_found', `Project ${quote(project)} has no version ${quote(version)}`, {
      project,
      version,
    }),

  previewNotFound: (project: string, preview: string) =>
    new Refusal('preview_not_found', `Project ${quote(project)} has no preview ${quote(preview)}`, {
      project,
      preview,
    }),

  notRestorable: (project: string, version: string) =>
    new Refusal(
      'version_not_found',
      `There is nothing of ${quote(project)} ${quote(version)} to restore: it was never removed, has been restored already, was purged, or was kept long enough`,
      { project, version },
    ),

  /** A version that was removed is not restored over the one that is there now. */
  versionIsBack: (project: string, version: string) =>
    new Refusal(
      'version_exists',
      `${project} ${version} exists; ask for a replacement to restore an earlier publication in its place`,
      { project, version },
    ),

  directoryInTheWay: (project: string, version: string) =>
    new Refusal(
      'version_exists',
      `${project} ${version} exists, and a copied-in directory cannot be restored in its place; delete it first`,
      { project, version },
    ),

  uploadTooLarge: (limit: number, met: number) =>
    new Refusal(
      'upload_too_large',
      `The upload is too large: the limit is ${limit} bytes, and at least ${met} bytes were sent`,
      { limit, met },
      { setting: 'upload_size' },
    ),

  archiveTooLarge: ({ setting, limit, met, unit }: PassedLimit) =>
    new Refusal(
      'archive_too_large',
      `The archive holds too much: the limit is ${limit} ${unit}, and it has at least ${met} ${unit}`,
      { limit, met },
      { setting },
    ),

  closing: () => new Refusal('unavailable', 'The server is shutting down; try again in a few seconds'),

  changedWhilePacked: () =>
    new Refusal('unavailable', 'The directory changed while it was packed; try again in a few seconds'),

  comparisonBusy: () =>
    new Refusal('unavailable', 'Too many versions are being compared; try again in a few seconds'),

  markdownBusy: () =>
    new Refusal('unavailable', 'Too many pages are being turned into Markdown; try again in a few seconds'),

  searchBusy: (options?: ErrorOptions) =>
    new Refusal('unavailable', 'Too many searches are running; try again in a few seconds', {}, options),

  searchTooLarge: (options?: ErrorOptions) =>
    new Refusal(
      'unavailable',
      'The search needed more memory than a search may take; search in one project, or for other words',
      {},
      options,
    ),

  storageUnavailable: (options?: ErrorOptions, storage = 'The documentation directory') =>
    new Refusal('unavailable', `${storage} cannot be reached; try again later`, {}, options),

  issuerUnavailable: (options?: ErrorOptions) =>
    new Refusal(
      'unavailable',
      'The issuer of this token gives no keys to check it by, so nothing is known of the job; try again later',
      {},
      options,
    ),

  logIncomplete: (options?: ErrorOptions) =>
    new Refusal(
      'unavailable',
      'The log of the object store is incomplete, so nothing is published, changed or deleted; the log of the server says what is missing',
      {},
      options,
    ),

  settingsDamaged: (project: string, why: string) =>
    new Refusal(
      'unavailable',
      `The settings of project ${quote(project)} cannot be read, so they are not changed: ${why}; mend or remove their file in the docs directory`,
      { project },
    ),

  nameInUse: (name: string, existing: string) =>
    new Refusal(
      'unavailable',
      `${quote(existing)} is just being published or removed, and the file system of this server ignores upper and lower case, so ${quote(name)} has to wait; try again in a few seconds`,
      { name, existing },
    ),

  insufficientStorage: (options?: ErrorOptions) =>
    new Refusal(
      'insufficient_storage',
      'The disk is full, or would have too little space left; nothing was changed. Free some space, or delete versions, and try again',
      {},
      { ...options, setting: 'free_space' },
    ),
};

const MAX_QUOTED = 200;
/** Control and format characters (cursor movement, writing direction, zero width), line separators, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes the invisible characters of untrusted text, for a terminal or a sentence. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? '';
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

/** Quotes untrusted text for a sentence: cut to 200 characters, invisible characters escaped. */
export function quote(text: string): string {
  let quoted = '';
  for (const character of text) {
    const piece = visible(character);
    if (quoted.length + piece.length > MAX_QUOTED) return `'${quoted}…'`;
    quoted += piece;
  }
  return `'${quoted}'`;
}
