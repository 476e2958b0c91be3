import * as z from 'zod';
import {
  MAX_IN_RULE,
  NUMBER_RULES,
  numberRuleInWords,
  type RetentionRule,
  VERSION_KINDS,
} from '../../domain/index.js';
import { source } from './publishing.js';

/** Source in answers. */
const shownSource = source
  .optional()
  .describe('Source that it was built from. Absent if unknown, or if the reader may not see it.');

const number = (rule: RetentionRule, description: string) => {
  const error = numberRuleInWords(rule);
  const { min } = NUMBER_RULES[rule];
  return z.int({ error }).min(min, { error }).max(MAX_IN_RULE, { error }).optional().describe(description);
};

/** Rules of retention, as a client sends them and gets them. */
export const retentionRules = z.strictObject({
  keep_per_minor: number('keep_per_minor', 'Number of newest releases to keep per minor version.'),
  keep_pre_releases: number('keep_pre_releases', 'Number of last published pre-releases to keep.'),
  pre_release_days: number(
    'pre_release_days',
    'Days to keep a pre-release after the publication of its final version.',
  ),
  max_age_days: number('max_age_days', 'Days to keep a version after its publication.'),
  copied_in: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe('Whether copied-in directories are removed, too.'),
});

/** A version that a rule removes. */
const dueVersion = z.object({
  version: z.string().describe('Version label.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
  rule: z
    .enum(Object.keys(NUMBER_RULES) as [RetentionRule, ...RetentionRule[]])
    .describe('Name of the rule.'),
  reason: z.string().describe('The rule in words, for people.'),
  archive_bytes: z.int().optional().describe('Size of the archive; absent for a copied-in directory.'),
});

const download = z.object({
  file: z.string().describe('Path inside the site.'),
  label: z.string().describe('Plain text of at most 100 characters.'),
  url: z.string().describe('Path of the file on this server.'),
  size: z.int().min(0).describe('Bytes.'),
});

export const version = z.object({
  version: z.string().describe('Version label.'),
  directory_name: z.string().describe('Form `<project_directory_name>-<version>`.'),
  url: z.string().describe('Relative site path, form `/<version_directory_name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<version_directory_name>-docs.zip`.'),
  published_at: z.iso
    .datetime()
    .describe('Time of publication; for a copied-in directory, of the last change.'),
  stable: z.boolean().describe('Whether the version is not marked as a pre-release.'),
  kind: z
    .enum(VERSION_KINDS)
    .describe('Kind of label: with a number, a release or pre-release, else a branch or commit.'),
  aliases: z.array(z.string()).optional().describe('Aliases that point to this version now.'),
  hidden: z
    .literal(true)
    .optional()
    .describe('Set for a version that is not listed on pages, in the switcher or in search.'),
  deprecated: z.string().optional().describe('Reason why the version should no longer be used.'),
  downloads: z
    .array(download)
    .max(20)
    .optional()
    .describe(
      'Files to download, such as a PDF. Only in the response for a single project; absent if there are none.',
    ),
  source: shownSource,
});

/** Description of a project that overrides its docinfo; section 4 of the contract has the rules. */
export const projectDescription = z.strictObject({
  title: z.string().optional().describe('Title on pages: one line of at most 100 characters.'),
  description: z.string().optional().describe('At most 1,000 characters.'),
  group: z.string().optional().describe('Group in the index, at most 100 characters.'),
  tags: z
    .array(z.string())
    .optional()
    .describe('Tags to filter by: at most 10, of at most 40 characters each.'),
  owner: z
    .string()
    .optional()
    .describe('Person or team responsible for the project; at most 100 characters.'),
  repository: z
    .string()
    .optional()
    .describe('Source repository, usually its address; at most 500 characters.'),
  contact: z
    .string()
    .optional()
    .describe('Contact for questions, usually an email or web address; at most 200 characters.'),
});

const settings = z.object({
  aliases: z
    .record(z.string(), z.string())
    .optional()
    .describe('Targets by alias: a version label, `N.x` or `N.M.x`. Has `latest` if it is pinned.'),
  hidden: z.array(z.string()).optional().describe('Labels of hidden versions.'),
  deprecated: z
    .record(z.string(), z.string())
    .optional()
    .describe('Messages of deprecated versions, by label.'),
  retention: retentionRules
    .optional()
    .describe('Retention rules of the project itself; empty rules keep all versions.'),
  about: projectDescription.optional().describe('Description that overrides the docinfo.'),
});

export const project = z.object({
  id: z.string().describe('Identifier of the project in paths such as `{project}` and in file names.'),
  title: z.string().describe('Title of the project on pages, for people.'),
  name: z.string().describe("The docinfo's `name`, else the `id`."),
  directory_name: z.string().describe('The same as `id`.'),
  description: z.string().describe('Project description.'),
  group: z.string().optional().describe('Group in the index; absent if there is none.'),
  tags: z.array(z.string()).optional().describe('Tags to filter by; absent if there are none.'),
  owner: z.string().optional().describe('Person or team responsible for the project.'),
  repository: z.string().optional().describe('Source repository, usually its address.'),
  contact: z.string().optional().describe('Contact for questions, usually an email or web address.'),
  versions: z.array(version).describe('All versions of the project, oldest first.'),
  latest_version_dir: z.string().describe('`directory_name` of the newest version.'),
  shadowed_aliases: z
    .array(z.string())
    .optional()
    .describe('Aliases that are shadowed by another project with the same address.'),
});

export const projectList = z.object({
  projects: z.array(project),
  count: z.int().min(0).describe('Number of projects returned.'),
});

export const projectDetails = project.extend({
  settings: settings.describe('Settings of the project. Fields that are not set are absent.'),
  retention: retentionRules
    .optional()
    .describe(
      'Effective retention rules: those of the project, else those of the server. Absent if all versions are kept.',
    ),
  disk_use: z
    .object({
      versions: z.int().min(0).describe('Bytes of its versions.'),
      previews: z.int().min(0).describe('Bytes of its previews.'),
      removed: z.int().min(0).describe('Bytes of deleted and replaced versions that are still kept.'),
      total: z.int().min(0).describe('Sum of these.'),
    })
    .describe('Disk use of the project: archives and unpacked files, without copied-in directories.'),
  dead_links: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Number of dead links of the latest version. Absent if there are none, or if they are not checked yet.',
    ),
});

export const preview = z.object({
  project: z.string().describe('`id` of the project.'),
  name: z.string().describe('Name of the preview.'),
  directory_name: z.string().describe('Form `<project>~<name>`.'),
  url: z.string().describe('Relative site path, form `/<project>~<name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<project>~<name>-docs.zip`.'),
  published_at: z.iso.datetime().describe('Time of the last upload.'),
  expires_at: z.iso.datetime().optional().describe('Time of removal; absent if it is kept.'),
  source: shownSource,
});

export const previewList = z.object({
  previews: z.array(preview).describe('All previews of the project, newest first.'),
  count: z.int().min(0).describe('Number of previews.'),
});

export const settingsResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project that the settings belong to.'),
  settings: settings.describe('All settings of the project, as they are now.'),
  removes: z
    .array(dueVersion)
    .optional()
    .describe('For retention rules only: versions that the rules remove now.'),
});

export const aliasTarget = z.strictObject({
  target: z
    .string()
    .describe('Version label, or `N.x` or `N.M.x` for the newest stable version of that series.'),
});

export const deprecation = z.strictObject({
  message: z.string().describe('Message for readers, at most 500 characters.'),
});
