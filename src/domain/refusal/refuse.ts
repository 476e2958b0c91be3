import type { SiteWarning } from '../publication-record.js';
import { counted, firstNames, LIFETIME_RULE } from '../quantities.js';
import { refuseAccess } from './access.js';
import { type PassedLimit, quote, Refusal, unavailable } from './refusal.js';

const EXPECTED_NAME = "name it '<project>-<version>-docs.zip', for example 'my-project-1.0.0-docs.zip'";

/** Dead links that a refusal names. */
const MAX_NAMED_LINKS = 3;

/** Constructors of all refusals, one per reason, so that each is worded in one place. */
export const refuse = {
  ...refuseAccess,

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
    new Refusal('invalid_request', `'expires' is ${quote(text)}; expected ${LIFETIME_RULE}`, { text }),

  /** @param field of the form @param rule its form in words */
  invalidSource: (field: string, text: string, rule: string) =>
    new Refusal('invalid_request', `'${field}' is ${quote(text)}; expected ${rule}`, { text }),

  siteHasWarnings: (name: string, warnings: readonly SiteWarning[]) =>
    new Refusal(
      'site_has_warnings',
      `${name} was not published, since the upload is strict and the site has ${counted(warnings.length, 'warning')}; nothing was changed`,
      { name },
      { warnings },
    ),

  deadLinks: (
    name: string,
    count: number,
    first: readonly { readonly page: string; readonly link: string }[],
  ) =>
    new Refusal(
      'dead_links',
      `${name} was not published, since it has ${counted(count, 'dead link')} that the previous release does not have: ${firstNames(
        first.slice(0, MAX_NAMED_LINKS).map(({ page, link }) => quote(`${page}: ${link}`)),
        count,
      )}; nothing was changed`,
      { name },
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

  /** @param owner the project of `existing`, which is a project or a version */
  projectSpelledOtherwise: (name: string, existing: string, owner: string) =>
    new Refusal(
      'project_not_allowed',
      `${quote(existing)} exists, and the file system of this server ignores case, so ${quote(name)} cannot be created; upload to project ${quote(owner)}, with a token that may change it`,
      { name, existing },
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
      `The address /${directoryName}/ belongs to ${by}; use another name, or remove that first`,
      { directoryName },
    ),

  versionSpelledOtherwise: (name: string, existing: string) =>
    new Refusal(
      'version_exists',
      `${quote(existing)} exists, and the file system of this server ignores case, so ${quote(name)} cannot be created; use the existing spelling, or delete that version first`,
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
      `${quote(project)} ${quote(version)} cannot be restored: it was never removed, is already restored, was purged, or has been removed for longer than removed versions are kept`,
      { project, version },
    ),

  /** A version that was removed is not restored over the one that is there now. */
  versionIsBack: (project: string, version: string) =>
    new Refusal(
      'version_exists',
      `${project} ${version} already exists; to restore an earlier publication in its place, send replace=true`,
      { project, version },
    ),

  directoryInTheWay: (project: string, version: string) =>
    new Refusal(
      'version_exists',
      `${project} ${version} already exists, and a copied-in directory cannot be restored in its place; delete it first`,
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
      `The archive is too large: the limit is ${limit} ${unit}, and it has at least ${met} ${unit}`,
      { limit, met },
      { setting },
    ),

  closing: () => unavailable('The server is shutting down; try again in a few seconds'),

  changedWhilePacked: () =>
    unavailable('The directory changed while it was being packed; try again in a few seconds'),

  linkCheckBusy: () =>
    unavailable('Links of too many versions are being checked; try again in a few seconds'),

  comparisonBusy: () => unavailable('Too many versions are being compared; try again in a few seconds'),

  markdownBusy: () =>
    unavailable('Too many pages are being converted to Markdown; try again in a few seconds'),

  searchBusy: (options?: ErrorOptions) =>
    unavailable('Too many searches are running; try again in a few seconds', options),

  searchTooLarge: (options?: ErrorOptions) =>
    unavailable('The search needed too much memory; search one project, or use other words', options),

  storageUnavailable: (options?: ErrorOptions, storage = 'The documentation directory') =>
    unavailable(`${storage} cannot be reached; try again later`, options),

  logIncomplete: (options?: ErrorOptions) =>
    unavailable(
      'The log of the object store is incomplete, so nothing can be published, changed or deleted; see the server log for details',
      options,
    ),

  settingsDamaged: (project: string, why: string) =>
    new Refusal(
      'unavailable',
      `The settings of project ${quote(project)} cannot be read, so they were not changed: ${why}; repair or remove their file in the docs directory`,
      { project },
    ),

  nameInUse: (name: string, existing: string) =>
    new Refusal(
      'unavailable',
      `${quote(existing)} is being published or removed, and the file system of this server ignores case, so ${quote(name)} must wait; try again in a few seconds`,
      { name, existing },
    ),

  insufficientStorage: (options?: ErrorOptions) =>
    new Refusal(
      'insufficient_storage',
      'The disk is full, or would have too little space left; nothing was changed. Free up space or delete versions, then try again',
      {},
      { ...options, setting: 'free_space' },
    ),
};
