import * as z from 'zod';
import { type ErrorCode, STATUS_OF } from '../errors.js';

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
});

const project = z.object({
  name: z.string().describe('Human-readable project name.'),
  directory_name: z.string().describe('Project identifier used in paths such as `{project}`.'),
  description: z.string().describe('Project description.'),
  versions: z.array(version).describe('All versions of the project, oldest first.'),
  latest_version_dir: z.string().describe('`directory_name` of the newest version.'),
});

const projectList = z.object({
  projects: z.array(project),
  count: z.int().min(0).describe('Number of projects returned.'),
});

const versionInfo = z.object({
  product: z.literal('lectern').describe('Product name of the service.'),
  version: z.string().describe('Version of the installed package, or `DEV` when it runs from source.'),
});

const uploadResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project taken from the uploaded filename.'),
  version: z.string().describe('Version taken from the uploaded filename.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
  url: z.string().describe('Site path, `/<directory>/`.'),
  files_extracted: z.int().min(1).describe('Number of files extracted.'),
});

const deleteResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project of the deleted version.'),
  version: z.string().describe('Deleted version.'),
  directory: z.string().describe('Version directory name, `<project>-<version>`.'),
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
  VersionInfo: versionInfo,
  UploadResult: uploadResult,
  DeleteResult: deleteResult,
  TokenInfo: tokenInfo,
  Failure: failure,
};

export type SchemaName = keyof typeof schemas;
export type Body<Name extends SchemaName> = z.infer<(typeof schemas)[Name]>;
