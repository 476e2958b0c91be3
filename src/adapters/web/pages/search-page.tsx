import type { PageModels } from '../../../application/index.js';
import { displayNameOf, nameInProject } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { FoundList, FoundSentence } from '../components/search/found-pages.js';
import { FoundSection } from '../components/search/found-section.js';
import { SearchBox } from '../components/search/search-box.js';
import { asset } from '../scripts.js';

/** `/-/search`: pages of all projects, or of one version. */
export function SearchPage({ previous, next, ...facts }: PageModels['search']) {
  const addresses = useAddresses();
  const { query, place, version } = facts;
  const project = place?.version.project;
  const to = (offset: number) => addresses.search({ query, project, version, offset });
  return (
    <Layout
      title={query === '' ? 'Search' : `Search: ${query}`}
      styles={[addresses.style('search')]}
      scripts={{ modules: ['search-keys', 'search-pages'].map(asset) }}
    >
      <div class="search-head">
        <h1>Search</h1>
        <p class="count">
          {place === undefined ? (
            'In the latest version of each project'
          ) : (
            <>
              In{' '}
              <a href={addresses.site(place.version)}>
                <bdi>{displayNameOf(place)}</bdi> {nameInProject(place.version)}
              </a>{' '}
              · <a href={addresses.search(query === '' ? {} : { query })}>Search all projects</a>
            </>
          )}
        </p>
        <SearchBox
          action={addresses.search()}
          name="q"
          value={query}
          label={place === undefined ? 'Search the pages' : `Search the pages of ${displayNameOf(place)}`}
          placeholder="Search pages"
          parameters={{ project, version }}
        />
      </div>
      <FoundSection
        address={addresses.search({ project, version })}
        isTitleShown={false}
        sentence={<FoundSentence {...facts} />}
      >
        <FoundList {...facts} />
        {(previous !== undefined || next !== undefined) && (
          <nav class="paging" aria-label="More results">
            {previous !== undefined && (
              <a rel="prev" href={to(previous)}>
                Previous results
              </a>
            )}
            {next !== undefined && (
              <a rel="next" href={to(next)}>
                More results
              </a>
            )}
          </nav>
        )}
      </FoundSection>
    </Layout>
  );
}
