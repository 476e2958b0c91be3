import type { ComponentChildren } from 'preact';
import type { PageModels } from '../../../application/index.js';
import { counted, isFiltering } from '../../../domain/index.js';
import type { IndexQuery } from '../addresses.js';
import { Facets, Filters, Orders } from '../components/index-controls.js';
import { Introduction } from '../components/introduction.js';
import { Layout } from '../components/layout.js';
import { takesTokens, useAddresses, useSite } from '../components/page-context.js';
import { GroupSentence, ProjectJumps, ProjectList } from '../components/project/project-list.js';
import { FoundSection, SearchBox } from '../components/search/search-box.js';
import { Snippet } from '../components/search/snippet.js';
import { clientCommands, fetchClient, uploadCommand } from '../help/help-examples.js';
import { asset } from '../public-files.js';

/** Min. number of projects that are shown densely, unless the reader chose otherwise. */
const MIN_DENSE = 50;

type IndexFacts = PageModels['index'];

/** `/`: all projects, the projects of a group, tag or owner, or the results of a search. */
export function IndexPage(facts: IndexFacts) {
  const { projects, found, search, address } = facts;
  const addresses = useAddresses();
  const { identity, search: findsPages } = useSite();
  const { introduction } = identity ?? {};
  const query = queryOf(facts);
  const title = titleOf(facts);
  if (projects.length === 0 && isWhole(facts)) {
    return (
      <Layout title={title} current="Projects" feed={addresses.feed()} scripts={{ modules: [asset('copy')] }}>
        <Head count="No projects yet">{null}</Head>
        <FirstUpload address={address} />
      </Layout>
    );
  }
  const scripts = {
    beforePaint: ['index-own'].map(asset),
    modules: ['index-search', 'search-keys', 'times', ...(findsPages ? ['search-pages'] : [])].map(asset),
  };
  const styles = findsPages ? ['index', 'search'] : ['index'];
  return (
    <Layout
      title={title}
      current="Projects"
      styles={styles}
      scripts={scripts}
      feed={isWhole(facts) ? addresses.feed() : undefined}
      hasSearch
    >
      <Head count={<Count found={found} query={query} />}>
        <SearchBox
          action={addresses.projects}
          name="search"
          value={search.text}
          label={findsPages ? 'Search projects and their pages' : 'Search projects'}
          placeholder={findsPages ? 'Search projects and pages' : 'Search projects'}
          parameters={{ ...query, search: undefined }}
          isLarge
        />
        <Bar {...facts} />
      </Head>
      {isWhole(facts) && introduction !== undefined && <Introduction tokens={introduction} />}
      <div class={found >= MIN_DENSE ? 'index-columns is-dense' : 'index-columns'}>
        <Found {...facts} />
        {findsPages && (
          <FoundSection address={addresses.search()} hidden={search.isEmpty}>
            <noscript>
              <a href={addresses.search({ query: search.text })}>Search the pages of all projects</a>
            </noscript>
          </FoundSection>
        )}
      </div>
    </Layout>
  );
}

/** Part of the index that changes as people type. */
export function IndexPart(facts: IndexFacts) {
  return (
    <>
      <title>{`${titleOf(facts)} · ${useSite().identity?.title ?? 'Lectern'}`}</title>
      <p id="count">
        <Count found={facts.found} query={queryOf(facts)} />
      </p>
      <Bar {...facts} />
      <Found {...facts} />
    </>
  );
}

/** Orders of the list; `index-own.js` adds the dense view. */
function Bar(facts: IndexFacts) {
  const { found, order } = facts;
  return (
    <div class="buttons index-bar" id="bar">
      {found > 1 && <Orders query={queryOf(facts)} order={order} hasGroups={hasGroups(facts)} />}
    </div>
  );
}

/** The projects that were found; beside them groups or letters to jump to, and tags to filter by. */
function Found(facts: IndexFacts) {
  const addresses = useAddresses();
  const { projects, found, isShort, search, filter, facets, order } = facts;
  const query = queryOf(facts);
  return (
    <div id="found" data-whole={isWhole(facts) ? '' : undefined}>
      <div class="index-side">
        <ProjectJumps projects={projects} search={search} order={order} />
        {search.isEmpty && <Facets facets={facets.tags} query={query} />}
      </div>
      <div class="index-list" data-order={order}>
        <Filters query={query} to={addresses.index} />
        {search.isEmpty && filter.group !== undefined && <GroupSentence group={filter.group} />}
        {projects.length === 0 ? (
          <NothingFound />
        ) : (
          <ProjectList projects={projects} search={search} order={order} />
        )}
        {isWhole(facts) && found > 1 && (
          <p class="count">
            <a class="soft-link" href={addresses.table({})}>
              Projects as a table
            </a>
          </p>
        )}
        {/* Cut before pages for their sake, else since there are too many. */}
        {found > projects.length && (
          <p class="count">
            {isShort ? (
              <a href={addresses.index({ ...query, all: 'true' })}>Show all {counted(found, 'project')}</a>
            ) : (
              `Showing ${projects.length} of ${counted(found, 'project')}. Add a word to narrow the search.`
            )}
          </p>
        )}
      </div>
    </div>
  );
}

function isWhole({ search, filter }: IndexFacts): boolean {
  return search.isEmpty && !isFiltering(filter);
}

function hasGroups({ search, facets }: IndexFacts): boolean {
  return search.isEmpty && facets.groups.length > 0;
}

function queryOf(facts: IndexFacts): IndexQuery {
  const { search, filter, order } = facts;
  const sort = order === (hasGroups(facts) ? 'group' : 'name') ? undefined : order;
  return { search: search.text || undefined, ...filter, sort };
}

function titleOf({ search, filter }: IndexFacts): string {
  return search.isEmpty
    ? (filter.group ?? filter.tag ?? filter.owner ?? 'Projects')
    : `Search: ${search.text}`;
}

function Head({ count, children }: Readonly<Record<'count' | 'children', ComponentChildren>>) {
  return (
    <div class="index-head">
      <div>
        <h1>Projects</h1>
        <p class="count" id="count" role="status">
          {count}
        </p>
      </div>
      {children}
    </div>
  );
}

/** Number of projects; after a search, with the link to all. */
function Count({ found, query }: { readonly found: number; readonly query: IndexQuery }) {
  const addresses = useAddresses();
  const number = found === 0 ? 'No projects' : counted(found, 'project');
  if (query.search === undefined) return <>{number}</>;
  return (
    <>
      {number} for “<bdi>{query.search}</bdi>” ·{' '}
      <a href={addresses.index({ ...query, search: undefined })}>Show&nbsp;all</a>
    </>
  );
}

function NothingFound() {
  const addresses = useAddresses();
  return (
    <section class="notice stack measure" aria-labelledby="nothing-title">
      <h2 id="nothing-title">No project found</h2>
      <p>
        The search looks for each word in names, titles of front pages, descriptions, tags, groups and owners.
        Try fewer or shorter words, or <a href={addresses.projects}>look through all projects</a>.
      </p>
    </section>
  );
}

/** How to publish on a server without projects: in the browser, with the client, with curl. */
function FirstUpload({ address }: { readonly address: string }) {
  const addresses = useAddresses();
  const site = useSite();
  const { uploads, client } = site;
  const fetched = client === undefined ? [] : [fetchClient(address)];
  return (
    <section class="notice stack measure" aria-labelledby="first">
      <h2 id="first">Publish the first documentation</h2>
      {!uploads && (
        <p>
          This server takes no uploads yet: start it with <code>--tokens</code>, then publish a built site
          from a terminal.
        </p>
      )}
      {takesTokens(site) && (
        <>
          <p>Choose a folder or a zip of a built site in the browser:</p>
          <p>
            <a class="button button-primary" href={addresses.upload}>
              Upload a site
            </a>
          </p>
        </>
      )}
      <p>{takesTokens(site) ? 'Or publish it from a terminal:' : 'With the client:'}</p>
      <Snippet title="Publish a folder" lines={[...fetched, ...clientCommands(address, client)]} />
      <details>
        <summary>With zip and curl</summary>
        <p>Name the archive after project and version:</p>
        <Snippet title="Upload with curl" lines={uploadCommand(address)} />
      </details>
      <p>
        The site can be read here a moment later. <a href={addresses.publishing}>Help</a> has more about
        names, archives and tokens.
      </p>
    </section>
  );
}
