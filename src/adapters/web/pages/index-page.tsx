import type { ComponentChildren } from 'preact';
import type { PageModels } from '../../../application/index.js';
import type { IndexQuery } from '../addresses.js';
import { FirstUpload } from '../components/first-upload.js';
import { Facets, Filters, Orders } from '../components/index-controls.js';
import { Introduction } from '../components/introduction.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { ProjectList } from '../components/project/project-list.js';
import { counted } from '../components/quantities.js';
import { FoundSection } from '../components/search/found-section.js';
import { SearchForm } from '../components/search/search-form.js';
import { asset } from '../scripts.js';

/** `/`: all projects, those of a group or tag, or the results of a search. */
export function IndexPage({ projects, found, search, filter, facets, order, address }: PageModels['index']) {
  const addresses = useAddresses();
  const { identity, search: findsPages } = useSite();
  const { introduction } = identity ?? {};
  const isEmpty = projects.length === 0;
  const isWhole = search.isEmpty && filter.group === undefined && filter.tag === undefined;
  const hasGroups = search.isEmpty && facets.groups.length > 0;
  const sort = order === (hasGroups ? 'group' : 'name') ? undefined : order;
  const query: IndexQuery = { search: search.text || undefined, ...filter, sort };
  const title = search.isEmpty ? (filter.group ?? filter.tag ?? 'Projects') : `Search: ${search.text}`;
  if (isEmpty && isWhole) {
    return (
      <Layout title={title} current="Projects">
        <Head count="No projects yet" />
        <FirstUpload address={address} />
      </Layout>
    );
  }
  const scripts = {
    beforePaint: ['index-own'].map(asset),
    modules: ['index-search', 'search-keys', ...(findsPages ? ['search-pages'] : [])].map(asset),
  };
  const styles = findsPages ? ['index', 'search'] : ['index'];
  return (
    <Layout title={title} current="Projects" styles={styles.map(addresses.style)} scripts={scripts}>
      <Head count={<Count found={found} query={query} />}>
        <SearchForm {...query} />
      </Head>
      {isWhole && introduction !== undefined && <Introduction tokens={introduction} />}
      <div id="found" data-whole={isWhole ? '' : undefined}>
        <Filters query={query} />
        {isEmpty ? (
          <NothingFound />
        ) : (
          <>
            <div class="index-bar">
              <Facets facets={facets.tags} query={query} />
              {found > 1 && <Orders query={query} order={order} hasGroups={hasGroups} />}
            </div>
            <ProjectList projects={projects} search={search} order={order} />
          </>
        )}
        {found > projects.length && <NotShown shown={projects.length} found={found} />}
      </div>
      {findsPages && (
        <FoundSection address={addresses.search()} hidden={search.isEmpty}>
          <noscript>
            <a href={addresses.search({ query: search.text })}>Search the pages of all projects</a>
          </noscript>
        </FoundSection>
      )}
    </Layout>
  );
}

interface HeadProps {
  readonly count: ComponentChildren;
  readonly children?: ComponentChildren;
}

function Head({ count, children }: HeadProps) {
  return (
    <div class="page-head">
      <div>
        <h1>Documentation</h1>
        <p class="count" id="count" role="status">
          {count}
        </p>
      </div>
      {children}
    </div>
  );
}

/** Number of projects; of a search with the way back. */
function Count({ found, query }: { readonly found: number; readonly query: IndexQuery }) {
  const addresses = useAddresses();
  const number = found === 0 ? 'No projects' : counted(found, 'project');
  if (query.search === undefined) return <>{number}</>;
  return (
    <>
      {number} for “<bdi>{query.search}</bdi>” ·{' '}
      <a href={addresses.index({ ...query, search: undefined })}>Show all</a>
    </>
  );
}

/** Note that the list is cut. */
function NotShown({ shown, found }: { readonly shown: number; readonly found: number }) {
  return (
    <p class="count">
      These are the first {shown} of {counted(found, 'project')}. Another word finds fewer.
    </p>
  );
}

function NothingFound() {
  const addresses = useAddresses();
  return (
    <section class="notice" aria-labelledby="nothing-title">
      <h2 id="nothing-title">No project found</h2>
      <p>
        The search looks for each word in names, descriptions, tags, groups and owners. Try fewer or shorter
        words, or <a href={addresses.projects}>look through all projects</a>.
      </p>
    </section>
  );
}
