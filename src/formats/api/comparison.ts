import * as z from 'zod';

export const comparison = z.object({
  project: z.string().describe('Project directory name.'),
  before: z.string().describe('Label of the earlier version; `~<name>` for a preview.'),
  after: z.string().describe('Label of the later version; `~<name>` for a preview.'),
  url: z.string().describe('Path of the page that shows the comparison.'),
  added_count: z.int().min(0).describe('Number of pages that only the later version has.'),
  removed_count: z.int().min(0).describe('Number of pages that only the earlier version has.'),
  changed_count: z.int().min(0).describe('Number of pages that say something else.'),
  unchanged_count: z.int().min(0).describe('Number of pages that say the same.'),
  complete: z.boolean().describe('False when a copied-in directory has more files than are looked at.'),
  added: z.array(z.object({ path: z.string().describe('Path inside the site.'), url: z.string() })),
  removed: z.array(
    z.object({
      path: z.string().describe('Path inside the earlier site.'),
      url: z.string(),
      redirected_to: z.string().optional().describe('Path to which the later version redirects it.'),
      proposed_redirect: z
        .string()
        .optional()
        .describe('A line for `_redirects`, where the page seems to have moved.'),
    }),
  ),
  changed: z.array(
    z.object({
      path: z.string().describe('Path inside the later site.'),
      before_url: z.string(),
      after_url: z.string(),
      url: z.string().describe('Path of the page with inserted and removed words marked.'),
    }),
  ),
  more: z.boolean().describe('Whether a list has more pages; `offset` asks for them.'),
});
