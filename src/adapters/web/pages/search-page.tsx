import { ALL_VERSIONS, type PageModels } from '../../../application/index.js';
import { nameInProject, projectTitle } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { UNGROUPED } from '../components/project/project-list.js';
import { FoundList, FoundSentence } from '../components/search/found-pages.js';
import { FoundSection, SearchBox } from '../components/search/search-box.js';
import { asset } from '../public-files.js';

type SearchFacts = PageModels['search'];

/** `/-/search`: pages of all projects, of a group or tag, or of one version. */
export function SearchPage(facts: SearchFacts) {
  const addresses = useAddresses();
  const { query, place, version, filter, isEverywhere } = facts;
  const project = place?.version.project;
  return (
    <Layout
      title={query === '' ? 'Search' : `Search: ${query}`}
      styles={['search']}
      scripts={{ modules: ['search-keys', 'search-pages'].map(asset) }}
      hasSearch
    >
      <div class="search-page">
        <h1>Search</h1>
        <SearchBox
          action={addresses.search()}
          name="q"
          value={query}
          label={place === undefined ? 'Search the pages' : `Search the pages of ${projectTitle(place)}`}
          placeholder="Search pages"
          parameters={{ project, version, ...filter, all_projects: isEverywhere || undefined }}
          isLarge
        />
        <p class="count">
          <Where {...facts} />
        </p>
        <FoundSection
          address={addresses.search({ project, version, ...filter, isEverywhere, facets: true })}
          isTitleShown={false}
          sentence={<FoundSentence {...facts} />}
        >
          <FoundPart {...facts} />
        </FoundSection>
        {/* `search-pages.js` shows more of a result here. */}
        <aside class="card panel hit-preview" id="hit-preview" aria-label="Preview" hidden />
      </div>
    </Layout>
  );
}

/** Part of the search page that changes as people type. */
export function SearchPart(facts: SearchFacts) {
  return (
    <>
      <p id="found-sentence">
        <FoundSentence {...facts} />
      </p>
      <div id="found-list">
        <FoundPart {...facts} />
      </div>
    </>
  );
}

/** Where is searched, with the way to search everywhere. */
function Where({ query, place, version, filter }: SearchFacts) {
  const addresses = useAddresses();
  const everywhere = addresses.search(query === '' ? {} : { query });
  const { group, ungrouped, tag, owner } = filter;
  const names = [group, ungrouped && UNGROUPED, tag, owner].filter((name) => name !== undefined);
  if (place === undefined && names.length === 0) return <>In the latest version of each project</>;
  return (
    <>
      In{' '}
      {place === undefined ? (
        <>
          the projects of <bdi>{names.join(' and ')}</bdi>
        </>
      ) : (
        <a href={addresses.site(place.version)}>
          <bdi>{projectTitle(place)}</bdi> {isAll(place, version) ? '' : nameInProject(place.version)}
        </a>
      )}
      {place !== undefined && isAll(place, version) && ', all versions'} ·{' '}
      <a href={everywhere}>Search all projects</a>
    </>
  );
}

/** Whether all versions are searched: the place is the latest one then, unless that has the name. */
function isAll({ version }: NonNullable<SearchFacts['place']>, name: string | undefined): boolean {
  return name === ALL_VERSIONS && version.label !== ALL_VERSIONS;
}

function FoundPart(facts: SearchFacts) {
  const addresses = useAddresses();
  const { query, place, version, filter, isEverywhere, previous, next } = facts;
  const project = place?.version.project;
  const to = (offset: number) =>
    addresses.search({ query, project, version, ...filter, isEverywhere, offset });
  return (
    <>
      <FoundList {...facts} />
      {(previous !== undefined || next !== undefined) && (
        <nav class="line apart paging" aria-label="More results">
          {previous !== undefined && (
            <a class="quiet-link" rel="prev" href={to(previous)}>
              Previous results
            </a>
          )}
          {next !== undefined && (
            <a class="quiet-link" rel="next" href={to(next)}>
              More results
            </a>
          )}
        </nav>
      )}
    </>
  );
}
