import * as z from 'zod';
import {
  MAX_IN_RULE,
  NUMBER_RULES,
  numberRuleInWords,
  type RetentionRule,
  VERSION_KINDS,
} from '../../domain/index.js';

const number = (rule: RetentionRule, description: string) => {
  const error = numberRuleInWords(rule);
  const { min } = NUMBER_RULES[rule];
  return z.int({ error }).min(min, { error }).max(MAX_IN_RULE, { error }).optional().describe(description);
};

/** Rules of retention, as a client sends them and gets them. */
export const retentionRules = z.strictObject({
  keep_per_minor: number('keep_per_minor', 'How many of the newest releases of each minor are kept.'),
  keep_pre_releases: number(
    'keep_pre_releases',
    'How many pre-releases are kept: those that were published last.',
  ),
  pre_release_days: number(
    'pre_release_days',
    'Days for which a pre-release is kept after the publication of its final version.',
  ),
  max_age_days: number('max_age_days', 'Days for which a version is kept after its publication.'),
  copied_in: z
    .boolean({ error: 'expected true or false' })
    .optional()
    .describe('Whether copied-in directories are removed as well.'),
});

/** A version that a rule removes. */
const dueVersion = z.object({
  version: z.string().describe('Version label.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
  rule: z
    .enum(Object.keys(NUMBER_RULES) as [RetentionRule, ...RetentionRule[]])
    .describe('Name of the rule.'),
  reason: z.string().describe('What the rule says, for people.'),
  archive_bytes: z.int().optional().describe('Size of the archive; absent for a copied-in directory.'),
});

export const version = z.object({
  version: z.string().describe('Version label.'),
  directory_name: z.string().describe('Form `<project_directory_name>-<version>`.'),
  url: z.string().describe('Relative site path, form `/<version_directory_name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<version_directory_name>-docs.zip`.'),
  published_at: z.iso
    .datetime()
    .describe('When it was published; for a copied-in directory, when it was changed.'),
  stable: z.boolean().describe('Whether nothing marks the version as a pre-release.'),
  kind: z
    .enum(VERSION_KINDS)
    .describe('What the label names: with a number a release or pre-release, else a branch or commit.'),
  aliases: z.array(z.string()).optional().describe('Aliases that stand for this version now.'),
  hidden: z.literal(true).optional().describe('Set for a version that is in no page, switcher or search.'),
  deprecated: z.string().optional().describe('Why the version should not be used any more.'),
});

/** What is said of a project in place of its docinfo; section 4 of the contract has the rules. */
export const projectDescription = z.strictObject({
  title: z.string().optional().describe('Name on pages. One line of at most 100 characters.'),
  description: z.string().optional().describe('At most 1,000 characters.'),
  group: z.string().optional().describe('Heading in the index, at most 100 characters.'),
  tags: z.array(z.string()).optional().describe('At most 10 words to filter by, of at most 40 characters.'),
  owner: z.string().optional().describe('Person or team responsible for the project; 100 characters.'),
  repository: z.string().optional().describe('Where the source is, usually an address; 500 characters.'),
  contact: z
    .string()
    .optional()
    .describe('Where to ask, usually an address of e-mail or the web; 200 characters.'),
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
  about: projectDescription.optional().describe('What is said of the project in place of its docinfo.'),
});

export const project = z.object({
  name: z.string().describe('Human-readable project name.'),
  title: z.string().optional().describe('Name on pages, where it is another one.'),
  directory_name: z.string().describe('Project identifier used in paths such as `{project}`.'),
  description: z.string().describe('Project description.'),
  group: z.string().optional().describe('Heading in the index; absent when there is none.'),
  tags: z.array(z.string()).optional().describe('Words to filter by; absent when there is none.'),
  owner: z.string().optional().describe('Person or team responsible for the project.'),
  repository: z.string().optional().describe('Where the source is, usually an address.'),
  contact: z.string().optional().describe('Where to ask, usually an address of e-mail or the web.'),
  versions: z.array(version).describe('All versions of the project, oldest first.'),
  latest_version_dir: z.string().describe('`directory_name` of the newest version.'),
  shadowed_aliases: z
    .array(z.string())
    .optional()
    .describe('Aliases that stand for nothing as long as another project has their address.'),
});

export const projectList = z.object({
  projects: z.array(project),
  count: z.int().min(0).describe('Number of projects returned.'),
});

export const projectDetails = project.extend({
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

export const preview = z.object({
  project: z.string().describe('Project identifier used in paths such as `{project}`.'),
  name: z.string().describe('Name of the preview.'),
  directory_name: z.string().describe('Form `<project>~<name>`.'),
  url: z.string().describe('Relative site path, form `/<project>~<name>/`.'),
  download_url: z.string().describe('Relative zip path, form `/<project>~<name>-docs.zip`.'),
  published_at: z.iso.datetime().describe('Time of the last upload.'),
  expires_at: z.iso.datetime().optional().describe('When it is removed; absent for one that is kept.'),
});

export const previewList = z.object({
  previews: z.array(preview).describe('All previews of the project, newest first.'),
  count: z.int().min(0).describe('Number of previews.'),
});

export const settingsResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project whose settings these are.'),
  settings: settings.describe('All settings of the project, as they are now.'),
  removes: z
    .array(dueVersion)
    .optional()
    .describe('For rules of retention only: the versions that the rules remove now.'),
});

export const aliasTarget = z.strictObject({
  target: z.string().describe('A version label; or `N.x` or `N.M.x`, the newest stable version of these.'),
});

export const deprecation = z.strictObject({
  message: z.string().describe('A sentence for readers, of at most 500 characters.'),
});
