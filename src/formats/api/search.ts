import * as z from 'zod';
import { MAX_RESULTS } from '../../domain/index.js';

/** Where a page is. */
const place = {
  project: z.string().describe('`directory_name` of the project.'),
  project_name: z.string().describe('Human-readable project name.'),
  version: z.string().describe('Version label; `~<name>` for a preview.'),
  url: z
    .string()
    .describe('Relative address of the page and section. The latest version has `/<project>-latest/` in it.'),
};

export const foundPage = z.object({
  ...place,
  path: z
    .string()
    .describe(
      'Path of the file inside the site, not percent-encoded. Of a page that a script draws, `./` and its address below the front page.',
    ),
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
  way: z
    .array(z.string())
    .optional()
    .describe('Titles of the pages above it by path, the topmost first; absent where they are not known.'),
  read_to: z
    .string()
    .optional()
    .describe(
      'Only of a page that is too long to be searched to its end: the last heading that is searched; may be empty.',
    ),
  also_in: z
    .array(z.string())
    .optional()
    .describe('With `version=all`: labels of older versions whose results have the page, newest first.'),
  same_in: z
    .array(z.object(place))
    .optional()
    .describe(
      'Without `project`: pages of other projects with the same title and heading, the likeliest first. They are no results of their own. Absent where there are none.',
    ),
});

const counts = z.array(
  z.object({
    name: z.string().describe('`directory_name` of a project, a group, a tag, or a kind of page.'),
    pages: z.int().min(1).describe('Number of pages that match.'),
  }),
);

/** Counts of the pages that a search found. */
const facets = z.object({
  project: counts,
  group: counts,
  tag: counts,
  page_kind: counts.describe('`guide`, `reference`, `release notes` and `list`.'),
});

export const foundPages = z.object({
  results: z.array(foundPage).describe('Best first.'),
  total: z
    .int()
    .min(0)
    .describe(
      `Number of results that can be paged through, at most ${MAX_RESULTS}; more pages may match. A result with 'same_in' counts once; as further pages of results are read, there may turn out to be fewer.`,
    ),
  more: z.literal(true).optional().describe('More pages match than `total`. Absent otherwise.'),
  corrected_to: z
    .string()
    .optional()
    .describe('What was searched for instead, where no page has a word as it was typed.'),
  corrections: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('Words that no page has, each with the word that was searched for instead.'),
  omitted_terms: z.array(z.string()).describe('Words that no page has, and that were not searched for.'),
  facets: facets
    .optional()
    .describe(
      'With `facets=true`: numbers of pages, at most 20 of each. Projects, groups and tags come in the order of their best results, then those without a result, most pages first; kinds of pages come by pages. With `version=all`, of the newest version that has all words.',
    ),
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
