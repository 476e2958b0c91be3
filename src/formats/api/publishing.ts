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
    code: z.enum(WARNING_CODES).describe('Code of the fault, for programs.'),
    message: z.string().describe('Description of the fault, for people.'),
    fix: z.string().describe('Instruction to fix it.'),
  }),
);

/** Where a version or preview was built from. */
export const source = z.object({
  told_by: z
    .enum(['issuer', 'client'])
    .describe(
      'Origin of these facts: `issuer`, the issuer of the token of the uploading job; or `client`, the uploader.',
    ),
  repository: z
    .string()
    .optional()
    .describe('Path of the repository at its service, such as `acme/widgets`.'),
  commit: z.string().optional().describe('7 to 64 hexadecimal digits.'),
  ref: z.string().optional().describe('Branch or tag, as the CI service names it: `refs/tags/v1.0`.'),
  run: z.string().optional().describe('ID of the CI run or job.'),
  run_attempt: z.string().optional().describe('Number of the attempt of that run.'),
  repository_url: z
    .string()
    .optional()
    .describe('Address of the repository. Addresses are given only if the issuer is GitHub or GitLab.'),
  commit_url: z.string().optional().describe('Address of the commit.'),
  run_url: z.string().optional().describe('Address of the run.'),
});

export const uploadResult = restoreResult.extend({
  project: z.string().describe('Project taken from the uploaded filename.'),
  version: z.string().describe('Version, or name of the preview, taken from the uploaded filename.'),
  files_extracted: z.int().min(1).describe('Number of files extracted.'),
  expires_at: z.iso.datetime().optional().describe('Time of removal of a preview; absent if it is kept.'),
  source: source.optional().describe('Source that it was built from. Absent if unknown.'),
  warnings: siteWarnings.describe('Faults of the site that readers will meet, most severe first.'),
  links: z
    .object({
      dead: z.int().min(0).describe('Number of dead links inside the site.'),
      new: z.int().min(0).describe('Number of those that the previous release does not have.'),
      first: z
        .array(z.object({ page: z.string().describe('Path in the site.'), link: z.string() }))
        .describe('The first new ones.'),
    })
    .optional()
    .describe(
      'Absent if no link is dead, unless `strict_links=true` was sent, and if links are not checked.',
    ),
});

export const removedVersion = z.object({
  project: z.string().describe('Project directory name.'),
  version: z.string().describe('Version label; `~<name>` of a preview.'),
  directory,
  revision: z.string().describe('Identifier of the publication.'),
  reason: z.enum(['deleted', 'replaced', 'expired']).describe('Reason for the removal.'),
  published_at: z.iso.datetime().describe('Time of publication.'),
  removed_at: z.iso.datetime().describe('Time when it was deleted, replaced or removed after its expiry.'),
  expires_at: z.iso.datetime().describe('Time from which it can no longer be restored.'),
  archive_bytes: z.int().optional().describe('Size of the kept archive; absent for a copied-in directory.'),
});

export const removedList = z.object({
  removed: z.array(removedVersion),
  count: z.int().min(0).describe('Number of removed versions.'),
});
