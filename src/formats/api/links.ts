import * as z from 'zod';

/** A link between sites of the server. */
const betweenSites = z.object({
  page: z.string().describe('Path of the page with the link, inside its site.'),
  url: z.string(),
  link: z.string().describe('Link as written in the page.'),
  missing: z
    .enum(['project', 'version', 'page', 'anchor'])
    .describe('Missing part of the target, as far as you may read it.'),
});

export const deadLinks = z.object({
  project: z.string().describe('Project directory name.'),
  version: z.string().describe('Label of the version; `~<name>` for a preview.'),
  checked: z.boolean().describe('False if links are not checked; all counts are 0 then.'),
  pages: z.int().min(0).describe('Number of pages read.'),
  links: z.int().min(0).describe('Number of links checked: the different ones of each page.'),
  dead: z.int().min(0).describe('Number of dead links.'),
  cut: z.literal(true).optional().describe('Set if a limit was reached; the rest is not checked.'),
  by_page: z.array(
    z.object({
      path: z.string().describe('Path of the page inside the site.'),
      url: z.string(),
      links: z.array(
        z.object({
          link: z.string().describe('Link as written in the page.'),
          target: z.string().describe('Target path inside the site, with the anchor if the page exists.'),
          missing: z
            .enum(['page', 'anchor'])
            .describe('Missing part of the target: a page, another file, or the anchor in a page.'),
          closest: z.string().optional().describe('Closest page or anchor.'),
          redirect: z.string().optional().describe('Line for `_redirects` that leads to the closest page.'),
        }),
      ),
    }),
  ),
  more: z.boolean().describe('Whether there are more dead links; use `offset` to get them.'),
  others: z
    .object({
      checked: z.boolean().describe('False while links between sites are still being checked.'),
      cut: z.literal(true).optional().describe('Set if there are more links between sites than are checked.'),
      dead: z.int().min(0).describe('Number of dead links.'),
      links: z.array(betweenSites).describe('First 1,000 of them.'),
    })
    .optional()
    .describe(
      'Links from this version to other projects and versions on this server. Absent if links are not checked.',
    ),
  broken_links_here: z
    .array(
      betweenSites.extend({
        project: z.string().describe('Directory name of the project whose page has the link.'),
        version: z.string().describe('Label of its version.'),
      }),
    )
    .optional()
    .describe(
      'Dead links from other projects to this one, in latest versions and versions with an alias; at most 1,000. Absent if `others` is.',
    ),
});
