import * as z from 'zod';
import { WARNING_CODES } from '../../domain/index.js';

const directory = z
  .string()
  .describe('Version directory name, `<project>-<version>`; of a preview, `<project>~<name>`.');

/** A version or preview was published, deleted or restored. */
export const deleteResult = z.object({
  success: z.literal(true),
  message: z.string().describe('Human-readable text.'),
  project: z.string().describe('Project of the version.'),
  version: z.string().describe('Version, or name of the preview.'),
  directory,
});

export const restoreResult = deleteResult.extend({ url: z.string().describe('Site path, `/<directory>/`.') });

export const siteWarnings = z.array(
  z.object({
    code: z.enum(WARNING_CODES).describe('The fault, for programs.'),
    message: z.string().describe('The fault, for people.'),
    fix: z.string().describe('Instruction that makes it right.'),
  }),
);

export const uploadResult = restoreResult.extend({
  project: z.string().describe('Project taken from the uploaded filename.'),
  version: z.string().describe('Version, or name of the preview, taken from the uploaded filename.'),
  files_extracted: z.int().min(1).describe('Number of files extracted.'),
  expires_at: z.iso.datetime().optional().describe('When a preview is removed; absent for one that is kept.'),
  warnings: siteWarnings.describe('Faults of the site that readers will meet, most severe first.'),
});

export const removedVersion = z.object({
  project: z.string().describe('Project directory name.'),
  version: z.string().describe('Version label; `~<name>` of a preview.'),
  directory,
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

export const removedList = z.object({
  removed: z.array(removedVersion),
  count: z.int().min(0).describe('Number of removed versions.'),
});
