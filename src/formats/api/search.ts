import * as z from 'zod';
import { MAX_RESULTS } from '../../domain/index.js';

/** A version of a project. */
const version = {
  project: z.string().describe('`id` of the project.'),
  project_name: z.string().describe('Human-readable project name.'),
  version: z.string().describe('Version label; `~<name>` for a preview.'),
};

/** Where a page is. */
const place = {
  ...version,
  url: z
    .string()
    .describe(
      'Relative address of the page and section. For the latest version, it contains `/<project>-latest/`.',
    ),
};

export const foundPage = z.object({
  ...place,
  path: z
    .string()
    .describe(
      'Path of the file inside the site, not percent-encoded. For a page that a script renders, `./` and its address below the front page.',
    ),
  title: z.string().describe('Title of the page.'),
  heading: z.string().optional().describe('Best matching section; absent for the page as a whole.'),
  anchor: z.string().optional().describe('Id of the section, not percent-encoded.'),
  snippet: z
    .array(
      z.object({
        text: z.string().describe('Plain text, never HTML.'),
        marked: z.boolean().describe('Whether this part matches the query.'),
      }),
    )
    .describe('Excerpt of the page, in parts. Joined, they are its text.'),
  way: z
    .array(z.string())
    .optional()
    .describe('Titles of the pages above it by path, topmost first; absent if unknown.'),
  lacks: z
    .array(z.string())
    .optional()
    .describe(
      'Words of the query that the page lacks, where few pages have all of them. Absent if it lacks none.',
    ),
  read_to: z
    .string()
    .optional()
    .describe(
      'Last heading that is searched, for a page that is too long to be searched to its end; may be empty. Absent otherwise.',
    ),
  also_in: z
    .array(z.string())
    .optional()
    .describe('With `version=all`: labels of older versions that also have the page, newest first.'),
  same_in: z
    .array(z.object(place))
    .optional()
    .describe(
      'Without `project`: pages of other projects with the same title and heading, most likely first. They are not listed as separate results. Absent if there are none.',
    ),
});

const counts = z.array(
  z.object({
    name: z.string().describe('`id` of a project, a group, a tag, or a kind of page.'),
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
      `Number of results that can be paged through, at most ${MAX_RESULTS}; more pages may match. A result with 'same_in' counts once; the number may decrease as further results are read.`,
    ),
  in_project: z
    .object(version)
    .optional()
    .describe(
      'Project, and version if given, that the first words of `q` name, if only that one was searched for the other words. Absent otherwise.',
    ),
  more: z.literal(true).optional().describe('More pages match than `total`. Absent otherwise.'),
  corrected_to: z
    .string()
    .optional()
    .describe('Query that was searched instead, if no page has a word as typed.'),
  corrections: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('Words that no page has, each with the word that was searched instead.'),
  omitted_terms: z.array(z.string()).describe('Words that no page has and that were ignored.'),
  facets: facets
    .optional()
    .describe(
      'With `facets=true`: numbers of matching pages, at most 20 values each. Projects, groups and tags are sorted by their best results, then by number of pages; kinds of pages by number of pages. With `version=all`, counted in the newest version that has all words.',
    ),
  indexing: z
    .int()
    .min(0)
    .describe('Number of searched versions that are still being indexed. Retry in a few seconds.'),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'Whether the search took too long and was stopped, so that there may be more. Absent otherwise.',
    ),
});
