import * as z from 'zod';

/** Schemas of the responses that the client reads (interface section 2). Unknown fields are allowed. */
const version = z.looseObject({
  version: z.string(),
  directory_name: z.string(),
  url: z.string(),
  published_at: z.string().optional(),
  stable: z.boolean().optional(),
});

const project = z.looseObject({
  name: z.string(),
  directory_name: z.string(),
  description: z.string(),
  versions: z.array(version),
  latest_version_dir: z.string(),
});

export const projectList = z.looseObject({ projects: z.array(project), count: z.number() });
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
});
export const deleteResult = z.looseObject({ message: z.string() });

/** An error response. Lectern sends both fields, other servers maybe only one. */
export const failure = z.looseObject({ error: z.string().optional(), message: z.string().optional() });

export type ProjectList = z.infer<typeof projectList>;
export type VersionInfo = z.infer<typeof versionInfo>;
export type UploadResult = z.infer<typeof uploadResult>;
export type TokenInfo = z.infer<typeof tokenInfo>;
export type DeleteResult = z.infer<typeof deleteResult>;
