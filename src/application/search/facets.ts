import type { PageText } from '../../formats/html/index.js';
import type { SearchFacets } from '../ports/search-index.js';
import type { Definition } from './definitions.js';
import { MIN_DEFINING } from './ranking-weights.js';

/** What a page is, as readers narrow a search by it. */
export const PAGE_KINDS = ['guide', 'reference', 'release notes', 'list'] as const;
type FacetKind = (typeof PAGE_KINDS)[number];

/** A page is reference when many of its sections, without its beginning, explain an identifier. */
export function facetKindOf({ kind, sections }: PageText, definitions: readonly Definition[]): FacetKind {
  if (kind === 'generated-list') return 'list';
  if (kind === 'release-notes') return 'release notes';
  const below = sections.filter(({ heading, level }) => heading !== '' && level > 1).length;
  const defining = new Set(definitions.map(({ section }) => section));
  const explaining = [...defining].filter((section) => (sections[section]?.level ?? 0) > 1).length;
  return explaining > 0 && explaining >= MIN_DEFINING * below ? 'reference' : 'guide';
}

/** Counts of pages, by project and by kind. What has none is not in it. */
export class FacetCounts implements SearchFacets {
  readonly projects = new Map<string, number>();
  readonly pageKinds = new Map<string, number>();

  add(project: string, kind: FacetKind, pages = 1): void {
    if (pages === 0) return;
    this.projects.set(project, (this.projects.get(project) ?? 0) + pages);
    this.pageKinds.set(kind, (this.pageKinds.get(kind) ?? 0) + pages);
  }
}
