import * as z from 'zod';

const usageTotals = {
  reads: z.int().min(0).describe('Number of pages sent to readers.'),
  agents: z
    .int()
    .min(0)
    .describe('Number of pages sent to agents as Markdown, or over the Model Context Protocol.'),
  not_found: z.int().min(0).describe('Number of requests for pages and files that do not exist.'),
};

const usageVersions = z
  .array(z.string())
  .describe('Labels of the versions in which it was requested, newest first.');

const ofPath = { path: z.string().describe('Path of the file inside the site.'), versions: usageVersions };
const missed = {
  path: z.string().describe('Requested path inside the site, without a query.'),
  not_found: usageTotals.not_found,
  versions: usageVersions,
};

const unfound = z
  .array(
    z.object({
      query: z.string().describe('First 80 characters of the search, on one line.'),
      clients: z
        .int()
        .min(1)
        .describe('Number of clients that searched for it, each counted once in two days.'),
    }),
  )
  .describe('At most 200 searches, those of most clients first.');

export const unfoundSearches = z.object({
  from: z.iso.date().describe('First day, in UTC.'),
  to: z.iso.date().describe('Last day, which is today.'),
  people: unfound,
  agents: unfound,
});

export const usage = z.object({
  project: z.string().describe('Project directory name.'),
  from: z.iso.date().describe('First day, in UTC.'),
  to: z.iso.date().describe('Last day, which is today.'),
  ...usageTotals,
  days: z
    .array(z.object({ date: z.iso.date(), ...usageTotals }))
    .describe('Days of the range, oldest first.'),
  versions: z
    .array(z.object({ version: z.string().describe('Version label.'), ...usageTotals }))
    .describe('Versions with any requests, most read first.'),
  other_versions: z
    .object(usageTotals)
    .describe('Hidden and deleted versions together. They are included in the sums and in `days`.'),
  pages: z.array(z.object({ ...ofPath, reads: usageTotals.reads })).describe('The 50 most read pages.'),
  agent_pages: z
    .array(z.object({ ...ofPath, agents: usageTotals.agents }))
    .describe('The 50 pages most read by agents.'),
  missing: z
    .array(
      z.object({
        ...missed,
        leads_to: z.string().optional().describe('Page of the latest version that the path leads to now.'),
        proposed_redirect: z
          .string()
          .optional()
          .describe('Line for `_redirects` that would lead to the closest page of the latest version.'),
      }),
    )
    .describe('The 50 most requested missing pages.'),
  missing_files: z
    .array(z.object(missed))
    .describe('The 50 most requested missing files other than pages, such as styles and images.'),
});
