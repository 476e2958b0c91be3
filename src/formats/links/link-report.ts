import { isOfFile } from '../../domain/index.js';
import { checksumOf } from '../checksum.js';

/** A link that leads nowhere. */
export interface DeadLink {
  /** Link as the page has it. */
  readonly link: string;
  /** Path in the site that it leads to, with the fragment if the page exists. */
  readonly target: string;
  /** `page`: there is no such file, nor a redirect; `anchor`: the page has no such id. */
  readonly missing: 'page' | 'anchor';
  /** Path of the closest page, or id of the closest anchor, where there is one. */
  readonly closest?: string;
}

/** A page with links that lead nowhere. */
export interface PageOfDeadLinks {
  /** Path in the site. */
  readonly path: string;
  readonly links: readonly DeadLink[];
}

/** Result of checking the links of a version. */
export interface LinkReport {
  /** Pages that were read, and different links of each that stay in the site, together. */
  readonly pages: number;
  readonly links: number;
  /** Number of dead links, including those that `byPage` leaves out. */
  readonly dead: number;
  /** Whether a bound of reading was reached, so that the rest is not checked. */
  readonly isCut: boolean;
  /** Dead links by page, sorted by path; bounded in number. */
  readonly byPage: readonly PageOfDeadLinks[];
}

/** Key of a dead link: the same page with the same target has the same key in each version. */
export function deadKey(page: string, target: string): number {
  return checksumOf(`${page}\n${target}`);
}

/** Returns the word for what is missing: a missing page may be another file, such as a script. */
export function missingWord({
  missing,
  target,
}: {
  readonly missing: string;
  readonly target: string;
}): string {
  return missing === 'page' && isOfFile(target) ? 'file' : missing;
}

/** Groups dead links by missing target: the target that most pages link to first, else in the order of the pages. */
export function byTarget<Link extends Pick<DeadLink, 'link' | 'missing' | 'target'>>(
  byPage: readonly { readonly path: string; readonly links: readonly Link[] }[],
): readonly (Link & { readonly from: readonly { readonly path: string; readonly link: string }[] })[] {
  const targets = new Map<string, Link & { readonly from: { path: string; link: string }[] }>();
  for (const { path, links } of byPage) {
    for (const link of links) {
      const key = `${link.missing} ${link.target}`;
      const known = targets.get(key) ?? { ...link, from: [] };
      known.from.push({ path, link: link.link });
      targets.set(key, known);
    }
  }
  return [...targets.values()].sort((a, b) => b.from.length - a.from.length);
}
