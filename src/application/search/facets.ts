import type { PageText } from '../../formats/html/index.js';
import { isListing } from '../../formats/html/text/page-text.js';
import type { SearchFacets } from '../ports/search-index.js';
import type { Definition } from './definitions.js';
import { MIN_DEFINING } from './ranking-weights.js';

/** Kinds of pages, by which readers narrow a search. */
export const PAGE_KINDS = ['guide', 'reference', 'release notes', 'list'] as const;
type FacetKind = (typeof PAGE_KINDS)[number];

/** A page is reference when many of its sections, without its beginning, explain an identifier. */
export function facetKindOf({ kind, sections }: PageText, definitions: readonly Definition[]): FacetKind {
  if (isListing(kind)) return 'list';
  if (kind === 'release-notes') return 'release notes';
  const below = sections.filter(({ heading, level }) => heading !== '' && level > 1).length;
  const defining = new Set(definitions.map(({ section }) => section));
  const explaining = [...defining].filter((section) => (sections[section]?.level ?? 0) > 1).length;
  return explaining > 0 && explaining >= MIN_DEFINING * below ? 'reference' : 'guide';
}

/** Counts of pages, by project and by kind. Projects and kinds without pages are left out. */
export class FacetCounts implements SearchFacets {
  readonly projects = new Map<string, number>();
  readonly pageKinds = new Map<string, number>();

  add(project: string, kind: FacetKind, pages = 1): void {
    if (pages === 0) return;
    this.projects.set(project, (this.projects.get(project) ?? 0) + pages);
    this.pageKinds.set(kind, (this.pageKinds.get(kind) ?? 0) + pages);
  }
}
