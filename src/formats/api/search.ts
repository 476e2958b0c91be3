import * as z from 'zod';
import { MAX_RESULTS } from '../../domain/index.js';

export const foundPage = z.object({
  project: z.string().describe('`directory_name` of the project.'),
  project_name: z.string().describe('Human-readable project name.'),
  version: z.string().describe('Version label; `~<name>` for a preview.'),
  url: z
    .string()
    .describe('Relative address of the page and section. The latest version has `/<project>-latest/` in it.'),
  path: z.string().describe('Path of the file inside the site, not percent-encoded.'),
  title: z.string().describe('Title of the page.'),
  heading: z.string().optional().describe('Section that answers best; absent for the page as a whole.'),
  anchor: z.string().optional().describe('Id of the section, not percent-encoded.'),
  snippet: z
    .array(
      z.object({
        text: z.string().describe('Plain text, never HTML.'),
        marked: z.boolean().describe('Whether this is what was searched for.'),
      }),
    )
    .describe('A stretch of the page. Joined, the parts are its text.'),
});

export const foundPages = z.object({
  results: z.array(foundPage).describe('Best first.'),
  total: z
    .int()
    .min(0)
    .describe(`Number of results that can be paged through, at most ${MAX_RESULTS}; more pages may match.`),
  corrected_to: z
    .string()
    .optional()
    .describe('What was searched for instead, where no page has a word as it was typed.'),
  indexing: z
    .int()
    .min(0)
    .describe(
      'Number of versions that belong to the search and are still being read. Ask again in a few seconds.',
    ),
  incomplete: z
    .literal(true)
    .optional()
    .describe('The search took too long and was stopped: there may be more. Absent otherwise.'),
});
