import type { FoundFacets } from '../../../../application/index.js';
import { projectTitle } from '../../../../domain/index.js';
import type { PageQuery } from '../../addresses.js';
import { useAddresses } from '../page-context.js';

interface FacetsProps {
  readonly facets: FoundFacets;
  /** The search that the links narrow. */
  readonly query: PageQuery;
}

/** Projects, groups and tags by which the results can be narrowed, with the number of pages in each. */
export function FoundFacetsNav({ facets: { projects, groups, tags }, query }: FacetsProps) {
  const addresses = useAddresses();
  if (projects.length < 2) return null;
  const linksTo = (kind: 'group' | 'tag', counts: typeof groups) =>
    counts
      .filter(() => query[kind] === undefined)
      .map(({ name, pages }) => ({ name, pages, to: addresses.search({ ...query, [kind]: name }) }));
  const lists = [
    {
      title: 'Projects',
      links: projects.map(({ name, project, pages }) => ({
        name: projectTitle({ project, version: project.latest }),
        pages,
        to: addresses.search({ query: query.query ?? '', project: name }),
      })),
    },
    { title: 'Groups', links: linksTo('group', groups) },
    { title: 'Tags', links: linksTo('tag', tags) },
  ];
  return (
    <nav class="found-facets" aria-label="Narrow the search">
      {lists
        .filter(({ links }) => links.length > 0)
        .map(({ title, links }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul class="plain-list">
              {links.map(({ name, pages, to }) => (
                <li key={to}>
                  <a href={to}>
                    <bdi>{name}</bdi> <span class="tally">{pages}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </nav>
  );
}
