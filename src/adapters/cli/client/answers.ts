import * as z from 'zod';

/** Schemas of the responses that the client reads (interface section 2). Unknown fields are allowed. */
const version = z.looseObject({
  version: z.string(),
  directory_name: z.string(),
  url: z.string(),
  published_at: z.string().optional(),
  stable: z.boolean().optional(),
  aliases: z.array(z.string()).optional(),
  hidden: z.boolean().optional(),
  deprecated: z.string().optional(),
});

export const project = z.looseObject({
  name: z.string(),
  directory_name: z.string(),
  description: z.string(),
  versions: z.array(version),
  latest_version_dir: z.string(),
  shadowed_aliases: z.array(z.string()).optional(),
  /** The list of all projects has neither. */
  retention: z.looseObject({}).optional(),
  settings: z.looseObject({ retention: z.looseObject({}).optional() }).optional(),
});

export const projectList = z.looseObject({ projects: z.array(project), count: z.number() });
export const previewList = z.looseObject({
  previews: z.array(
    z.looseObject({ name: z.string(), published_at: z.string(), expires_at: z.string().optional() }),
  ),
});
export const versionInfo = z.looseObject({ product: z.string(), version: z.string() });
export const uploadResult = z.looseObject({
  message: z.string(),
  project: z.string(),
  version: z.string(),
  directory: z.string(),
});
export const tokenInfo = z.looseObject({
  name: z.string(),
  projects: z.array(z.string()).optional(),
  allow_overwrite: z.boolean(),
  allow_delete: z.boolean(),
  existing_projects_only: z.boolean(),
  /** Servers before 1.1 have no settings. */
  allow_manage: z.boolean().optional(),
});
export const comparison = z.looseObject({
  added_count: z.number(),
  removed_count: z.number(),
  changed_count: z.number(),
});
const removedVersion = z.looseObject({
  project: z.string(),
  version: z.string(),
  revision: z.string(),
  reason: z.string(),
  removed_at: z.string(),
  expires_at: z.string(),
  archive_bytes: z.number().optional(),
});
export const removedList = z.looseObject({ removed: z.array(removedVersion) });
export const restoreResult = z.looseObject({ message: z.string(), directory: z.string() });
export const deleteResult = z.looseObject({ message: z.string() });
const dueVersion = z.looseObject({
  version: z.string(),
  rule: z.string(),
  reason: z.string(),
  archive_bytes: z.number().optional(),
});
export const settingsResult = z.looseObject({
  message: z.string(),
  removes: z.array(dueVersion).optional(),
});

export const foundPages = z.looseObject({
  results: z.array(
    z.looseObject({
      project: z.string(),
      project_name: z.string(),
      version: z.string(),
      url: z.string(),
      path: z.string(),
      title: z.string(),
      heading: z.string().optional(),
      snippet: z.array(z.looseObject({ text: z.string(), marked: z.boolean() })),
    }),
  ),
  total: z.number(),
  corrected_to: z.string().optional(),
  indexing: z.number(),
  incomplete: z.boolean().optional(),
});

const usageCounts = { reads: z.number(), not_found: z.number() };

export const usage = z.looseObject({
  from: z.string(),
  to: z.string(),
  ...usageCounts,
  versions: z.array(z.looseObject({ version: z.string(), ...usageCounts })),
  pages: z.array(z.looseObject({ path: z.string(), reads: z.number() })),
  missing: z.array(
    z.looseObject({
      path: z.string(),
      not_found: z.number(),
      leads_to: z.string().optional(),
      proposed_redirect: z.string().optional(),
    }),
  ),
});

/** An error response. Lectern sends both fields, other servers maybe only one. */
export const failure = z.looseObject({ error: z.string().optional(), message: z.string().optional() });

export type Project = z.infer<typeof project>;
export type ProjectList = z.infer<typeof projectList>;
export type PreviewList = z.infer<typeof previewList>;
export type VersionInfo = z.infer<typeof versionInfo>;
export type UsageInfo = z.infer<typeof usage>;
export type FoundPages = z.infer<typeof foundPages>;
export type UploadResult = z.infer<typeof uploadResult>;
export type TokenInfo = z.infer<typeof tokenInfo>;
export type Comparison = z.infer<typeof comparison>;
export type RemovedList = z.infer<typeof removedList>;
export type SettingsResult = z.infer<typeof settingsResult>;
export type DeleteResult = z.infer<typeof deleteResult>;
