import * as z from 'zod';

export const versionInfo = z.object({
  product: z.literal('lectern').describe('Product name of the service.'),
  version: z.string().describe('Version of the installed package, or `DEV` when it runs from source.'),
});

export const clientFile = z.object({
  url: z.string().describe('Path of the file on this server.'),
  version: versionInfo.shape.version,
  sha256: z.string().describe('SHA-256 of the file, in hexadecimal.'),
  bytes: z.int().min(1).describe('Size of the file.'),
});

export const tokenInfo = z.object({
  name: z.string().describe('Name of the token in the tokens file.'),
  projects: z
    .array(z.string())
    .optional()
    .describe(
      "Projects that the token may change, or beginnings of them with '*'; absent for every project.",
    ),
  read: z
    .array(z.string())
    .optional()
    .describe('Projects that the token may read beside those; absent when it is given none.'),
  allow_overwrite: z.boolean().describe('Whether it may replace an existing version.'),
  allow_delete: z.boolean().describe('Whether it may delete versions.'),
  existing_projects_only: z.boolean().describe('Whether it may upload only to projects that exist.'),
  allow_manage: z
    .boolean()
    .describe(
      'Whether it may change the settings of projects, and restore versions, as far as its other rights reach.',
    ),
  previews_only: z.boolean().optional().describe('There for one that publishes and deletes previews only.'),
  allow_tokens: z.boolean().optional().describe('There for one that may make other tokens.'),
  expires: z.iso
    .datetime()
    .optional()
    .describe('Time from which on it is not valid any more; absent for one without an end.'),
});
