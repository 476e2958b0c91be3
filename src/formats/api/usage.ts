import * as z from 'zod';

const usageTotals = {
  reads: z.int().min(0).describe('Pages that readers were sent.'),
  agents: z
    .int()
    .min(0)
    .describe('Pages that agents were sent as Markdown, or read by the Model Context Protocol.'),
  not_found: z.int().min(0).describe('Requests for what a version lacks.'),
};

const usageVersions = z
  .array(z.string())
  .describe('Labels of the versions that were asked for it, newest first.');

const ofPath = { path: z.string().describe('Path of the file inside the site.'), versions: usageVersions };
const missed = {
  path: z.string().describe('Requested path inside the site, without a query.'),
  not_found: usageTotals.not_found,
  versions: usageVersions,
};

export const usage = z.object({
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
    .describe('Hidden and deleted versions, together. They count in the sums and in `days`.'),
  pages: z
    .array(z.object({ ...ofPath, reads: usageTotals.reads }))
    .describe('The 50 pages that were read most.'),
  agent_pages: z
    .array(z.object({ ...ofPath, agents: usageTotals.agents }))
    .describe('The 50 pages that agents read most.'),
  missing: z
    .array(
      z.object({
        ...missed,
        leads_to: z.string().optional().describe('Page to which the path leads in the latest version now.'),
        proposed_redirect: z
          .string()
          .optional()
          .describe('A line for `_redirects` that would lead to the closest page of the latest version.'),
      }),
    )
    .describe('The 50 missing pages that were asked for most.'),
  missing_files: z
    .array(z.object(missed))
    .describe('The 50 missing files that are no pages, such as styles and images, that were asked for most.'),
});
