import * as z from 'zod';

export const comparison = z.object({
  project: z.string().describe('Project directory name.'),
  before: z.string().describe('Label of the earlier version; `~<name>` for a preview.'),
  after: z.string().describe('Label of the later version; `~<name>` for a preview.'),
  url: z.string().describe('Path of the page that shows the comparison.'),
  added_count: z.int().min(0).describe('Number of pages that only the later version has.'),
  removed_count: z.int().min(0).describe('Number of pages that only the earlier version has.'),
  changed_count: z.int().min(0).describe('Number of pages whose text differs.'),
  unchanged_count: z.int().min(0).describe('Number of pages whose text is the same.'),
  complete: z.boolean().describe('False if a copied-in directory has too many files to compare them all.'),
  added: z.array(z.object({ path: z.string().describe('Path inside the site.'), url: z.string() })),
  removed: z.array(
    z.object({
      path: z.string().describe('Path inside the earlier site.'),
      url: z.string(),
      redirected_to: z.string().optional().describe('Path that the later version redirects it to.'),
      proposed_redirect: z
        .string()
        .optional()
        .describe('Line for `_redirects`, if the page seems to have moved.'),
    }),
  ),
  changed: z.array(
    z.object({
      path: z.string().describe('Path inside the later site.'),
      before_url: z.string(),
      after_url: z.string(),
      url: z.string().describe('Path of the page that marks inserted and removed words.'),
    }),
  ),
  more: z.boolean().describe('Whether a list has more pages; use `offset` to get them.'),
});
