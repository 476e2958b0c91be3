import * as z from 'zod';
import type { ErrorCode } from '../../../../formats/index.js';
import { STATUS_OF } from '../../errors.js';
import { dueVersion, retentionRules } from './retention-schemas.js';
import { foundPage, foundPages } from './search-schemas.js';

/** Schemas of the API's bodies (interface section 2), for `/api/spec` and the types of handlers. */
const version = z.object({
  version: z.string().describe('Version label.'),
  directory_name: z.string().describe('Form `<project_directory_name>-<version>`.'),
  url: z.string().describe('Relative site path, form `/<version_directory_name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<version_directory_name>-docs.zip`.'),
  published_at: z.iso
    .datetime()
    .describe('When it was published; for a copied-in directory, when it was changed.'),
  stable: z.boolean().describe('Whether nothing marks the version as a pre-release.'),
  aliases: z.array(z.string()).optional().describe('Aliases that stand for this version now.'),
  hidden: z.literal(true).optional().describe('Set for a version that is in no page, switcher or search.'),
  deprecated: z.string().optional().describe('Why the version should not be used any more.'),
});

const settings = z.object({
  aliases: z
    .record(z.string(), z.string())
    .optional()
    .describe('Targets by alias: a version label, `N.x` or `N.M.x`. `latest` is there when it is pinned.'),
  hidden: z.array(z.string()).optional().describe('Labels of hidden versions.'),
  deprecated: z
    .record(z.string(), z.string())
    .optional()
    .describe('Sentences by label of deprecated versions.'),
  retention: retentionRules
    .optional()
    .describe("The project's own rules by which versions are removed; empty rules keep all."),
});

const project = z.object({
  name: z.string().describe('Human-readable project name.'),
  directory_name: z.string().describe('Project identifier used in paths such as `{project}`.'),
  description: z.string().describe('Project description.'),
  group: z.string().optional().describe('Heading in the index; absent when the docinfo has none.'),
  tags: z.array(z.string()).optional().describe('Words to filter by; absent when the docinfo has none.'),
  owner: z.string().optional().describe('Person or team that answers for the project.'),
  repository: z.string().optional().describe('Where the source is, usually an address.'),
  contact: z.string().optional().describe('Where to ask, usually an address of e-mail or the web.'),
  versions: z.array(version).describe('All versions of the project, oldest first.'),
  latest_version_dir: z.string().describe('`directory_name` of the newest version.'),
  shadowed_aliases: z
    .array(z.string())
    .optional()
    .describe('Aliases that stand for nothing as long as another project has their address.'),
});

const preview = z.object({
  project: z.string().describe('Project identifier used in paths such as `{project}`.'),
  name: z.string().describe('Name of the preview.'),
  directory_name: z.string().describe('Form `<project>~<name>`.'),
  url: z.string().describe('Relative site path, form `/<project>~<name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<project>~<name>-docs.zip`.'),
  published_at: z.iso.datetime().describe('Time of the last upload.'),
  expires_at: z.iso.datetime().optional().describe('When it is removed; absent for one that is kept.'),
});

const previewList = z.object({
  previews: z.array(preview).describe('All previews of the project, newest first.'),
  count: z.int().min(0).describe('Number of previews.'),
});

const projectList = z.object({
  projects: z.array(project),
  count: z.int().min(0).describe('Number of projects returned.'),
});

const projectDetails = project.extend({
  settings: settings.describe('What is set for the project. A field for which nothing is set is absent.'),
  retention: retentionRules
    .optional()
    .describe("Rules that count: the project's own ones, else the server's. Absent when all is kept."),
  disk_use: z
    .object({
      versions: z.int().min(0).describe('Bytes of its versions.'),
      previews: z.int().min(0).describe('Bytes of its previews.'),
      removed: z.int().min(0).describe('Bytes of what was deleted or replaced and is still kept.'),
      total: z.int().min(0).describe('The sum of them.'),
    })
    .describe('What the project takes: archives, and unpacked files. Without copied-in directories.'),
});

const versionInfo = z.object({
  product: z.literal('lectern').describe('Product name of the service.'),
  version: z.string().describe('Version of the installed package, or `DEV` when it runs from source.'),
});

const clientFile = z.object({
  url: z.string().describe('Path of the file on this server.'),
  version: versionInfo.shape.version,
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  bytes: z.int().min(1).describe('Size of the file.'),
});

const uploadResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project taken from the uploaded filename.'),
  version: z.string().describe('Version, or name of the preview, taken from the uploaded filename.'),
  directory: z
    .string()
    .describe('Version directory name, `<project>-<version>`; of a preview, `<project>~<name>`.'),
  url: z.string().describe('Site path, `/<directory>/`.'),
  files_extracted: z.int().min(1).describe('Number of files extracted.'),
  expires_at: z.iso.datetime().optional().describe('When a preview is removed; absent for one that is kept.'),
});

const deleteResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project of the deleted version.'),
  version: z.string().describe('Deleted version, or name of the preview.'),
  directory: z
    .string()
    .describe('Version directory name, `<project>-<version>`; of a preview, `<project>~<name>`.'),
});

const removedVersion = z.object({
  project: z.string().describe('Project directory name.'),
  version: z.string().describe('Version label; `~<name>` of a preview.'),
  directory: z
    .string()
    .describe('Version directory name, `<project>-<version>`; of a preview, `<project>~<name>`.'),
  revision: z.string().describe('Which publication of the version it is.'),
  reason: z.enum(['deleted', 'replaced', 'expired']).describe('What happened to it.'),
  published_at: z.iso.datetime().describe('When it was published.'),
  removed_at: z.iso.datetime().describe('When it was deleted or replaced, or removed after its end.'),
  expires_at: z.iso.datetime().describe('From then on it cannot be restored.'),
  archive_bytes: z
    .int()
    .optional()
    .describe('Size of the archive, which is kept; absent for a copied-in directory.'),
});

const removedList = z.object({
  removed: z.array(removedVersion),
  count: z.int().min(0).describe('Number of removed versions.'),
});

const restoreResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project of the restored version.'),
  version: z.string().describe('Restored version.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
  url: z.string().describe('Site path, `/<directory>/`.'),
});

const tokenInfo = z.object({
  name: z.string().describe('Name of the token in the tokens file.'),
  projects: z
    .array(z.string())
    .optional()
    .describe('Projects that the token may change; absent for every project.'),
  allow_overwrite: z.boolean().describe('Whether it may replace an existing version.'),
  allow_delete: z.boolean().describe('Whether it may delete versions.'),
  existing_projects_only: z.boolean().describe('Whether it may upload only to projects that exist.'),
  allow_manage: z
    .boolean()
    .describe(
      'Whether it may change the settings of projects, and restore versions, as far as its other rights reach.',
    ),
});

const comparison = z.object({
  project: z.string().describe('Project directory name.'),
  before: z.string().describe('Label of the earlier version; `~<name>` for a preview.'),
  after: z.string().describe('Label of the later version; `~<name>` for a preview.'),
  url: z.string().describe('Path of the page that shows the comparison.'),
  added_count: z.int().min(0).describe('Number of pages that only the later version has.'),
  removed_count: z.int().min(0).describe('Number of pages that only the earlier version has.'),
  changed_count: z.int().min(0).describe('Number of pages that say something else.'),
  unchanged_count: z.int().min(0).describe('Number of pages that say the same.'),
  complete: z.boolean().describe('False when a copied-in directory has more files than are looked at.'),
  added: z.array(z.object({ path: z.string().describe('Path inside the site.'), url: z.string() })),
  removed: z.array(
    z.object({
      path: z.string().describe('Path inside the earlier site.'),
      url: z.string(),
      redirected_to: z.string().optional().describe('Path to which the later version redirects it.'),
      proposed_redirect: z
        .string()
        .optional()
        .describe('A line for `_redirects`, where the page seems to have moved.'),
    }),
  ),
  changed: z.array(
    z.object({
      path: z.string().describe('Path inside the later site.'),
      before_url: z.string(),
      after_url: z.string(),
      url: z.string().describe('Path of the page with inserted and removed words marked.'),
    }),
  ),
  more: z.boolean().describe('Whether a list has more pages; `offset` asks for them.'),
});

const usageTotals = {
  reads: z.int().min(0).describe('Pages that readers were sent.'),
  not_found: z.int().min(0).describe('Requests for what a version lacks.'),
};

const usageVersions = z
  .array(z.string())
  .describe('Labels of the versions that were asked for it, newest first.');

const usage = z.object({
  project: z.string().describe('Project directory name.'),
  from: z.iso.date().describe('First day, in UTC.'),
  to: z.iso.date().describe('Last day, which is today.'),
  ...usageTotals,
  days: z
    .array(z.object({ date: z.iso.date(), ...usageTotals }))
    .describe('Each day of the range, oldest first.'),
  versions: z
    .array(z.object({ version: z.string().describe('Version label.'), ...usageTotals }))
    .describe('Versions that were asked for anything, the most read first.'),
  other_versions: z
    .object(usageTotals)
    .describe('Versions that are hidden or gone, together. They count in the sums and in `days`.'),
  pages: z
    .array(
      z.object({
        path: z.string().describe('Path of the file inside the site.'),
        reads: usageTotals.reads,
        versions: usageVersions,
      }),
    )
    .describe('The 50 pages that were read most.'),
  missing: z
    .array(
      z.object({
        path: z.string().describe('Requested path inside the site, without a query.'),
        not_found: usageTotals.not_found,
        versions: usageVersions,
        leads_to: z.string().optional().describe('Page to which the path leads in the latest version now.'),
        proposed_redirect: z
          .string()
          .optional()
          .describe('A line for `_redirects` that would lead to the closest page of the latest version.'),
      }),
    )
    .describe('The 50 paths that were missed most.'),
});

const settingsResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project whose settings these are.'),
  settings: settings.describe('All settings of the project, as they are now.'),
  removes: z
    .array(dueVersion)
    .optional()
    .describe('For rules of retention only: the versions that the rules remove now.'),
});

const aliasTarget = z.strictObject({
  target: z.string().describe('A version label; or `N.x` or `N.M.x`, the newest stable version of these.'),
});

const deprecation = z.strictObject({
  message: z.string().describe('A sentence for readers, of at most 500 characters.'),
});

const failure = z.object({
  success: z.literal(false),
  error: z.enum(Object.keys(STATUS_OF) as [ErrorCode, ...ErrorCode[]]).describe('The reason, for programs.'),
  message: z.string().describe('The reason, for people.'),
});

/** By name in `components.schemas`. */
export const schemas = {
  Version: version,
  Project: project,
  ProjectList: projectList,
  ProjectDetails: projectDetails,
  Preview: preview,
  PreviewList: previewList,
  VersionInfo: versionInfo,
  ClientFile: clientFile,
  UploadResult: uploadResult,
  DeleteResult: deleteResult,
  RemovedVersion: removedVersion,
  RemovedList: removedList,
  RestoreResult: restoreResult,
  TokenInfo: tokenInfo,
  Comparison: comparison,
  Usage: usage,
  SettingsResult: settingsResult,
  Deprecation: deprecation,
  FoundPage: foundPage,
  FoundPages: foundPages,
  AliasTarget: aliasTarget,
  RetentionRules: retentionRules,
  Failure: failure,
};

export type SchemaName = keyof typeof schemas;
export type Body<Name extends SchemaName> = z.infer<(typeof schemas)[Name]>;
