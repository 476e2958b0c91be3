import type { FoundFacets, PageCount } from '../../../../application/index.js';
import { projectTitle } from '../../../../domain/index.js';
import type { PageQuery } from '../../addresses.js';
import { useAddresses } from '../page-context.js';
import { UNGROUPED } from '../project/project-list.js';

/** Projects, groups or tags that are shown before somebody asks for more. */
const MAX_VALUES = 8;

interface FacetsProps {
  readonly facets: FoundFacets;
  /** The search that the links narrow. */
  readonly query: PageQuery;
}

/** Projects, groups and tags by which the results can be narrowed, with the number of pages in each. */
export function FoundFacetsNav({ facets: { projects, groups, tags }, query }: FacetsProps) {
  const addresses = useAddresses();
  if (projects.length < 2) return null;
  const isInGroup = query.group !== undefined || query.ungrouped !== undefined;
  const lists = [
    {
      title: 'Projects',
      links: projects.map(({ name, project, pages }) => ({
        name: projectTitle({ project, version: project.latest }),
        pages,
        to: addresses.search({ query: query.query ?? '', project: name }),
      })),
    },
    {
      title: 'Groups',
      links: (isInGroup ? [] : groups).map(({ name, pages }) => ({
        name: name ?? UNGROUPED,
        pages,
        to: addresses.search({ ...query, ...(name === undefined ? { ungrouped: true } : { group: name }) }),
      })),
    },
    {
      title: 'Tags',
      links: (query.tag === undefined ? tags : []).map(({ name, pages }) => ({
        name,
        pages,
        to: addresses.search({ ...query, tag: name }),
      })),
    },
  ];
  return (
    <nav class="found-facets small" aria-label="Narrow the search">
      {lists
        .filter(({ links }) => links.length > 0)
        .map(({ title, links }) => (
          <section key={title}>
            <h3 class="tally">{title}</h3>
            <FacetLinks links={links.slice(0, MAX_VALUES)} />
            {links.length > MAX_VALUES && (
              <details class="found-more small">
                <summary>{links.length - MAX_VALUES} more</summary>
                <FacetLinks links={links.slice(MAX_VALUES)} />
              </details>
            )}
          </section>
        ))}
    </nav>
  );
}

interface FacetLink extends PageCount {
  readonly to: string;
}

function FacetLinks({ links }: { readonly links: readonly FacetLink[] }) {
  return (
    <ul class="plain-list line">
      {links.map(({ name, pages, to }) => (
        <li key={to}>
          <a class="soft-link" href={to}>
            <bdi>{name}</bdi>
          </a>{' '}
          <span class="tally">{pages}</span>
        </li>
      ))}
    </ul>
  );
}
