import { PROJECT_ORDERS, type Project, type ProjectOrder, type SearchTerm } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { ProjectEntry } from '../components/project-entry.js';
import { Prose } from '../components/prose.js';
import { counted } from '../components/quantities.js';
import { SearchForm } from '../components/search-form.js';
import { code } from '../help/block.js';
import { uploadCommand } from '../help/help-examples.js';

export interface IndexPageProps {
  /** Projects to show, sorted and filtered. */
  readonly projects: readonly Project[];
  /** Number of projects found, of which `projects` may be the first ones. */
  readonly found: number;
  /** Search term; the empty term when there is no search. */
  readonly search: SearchTerm;
  /** Sort order of `projects`. */
  readonly order: ProjectOrder;
  /** Address of the server, for the commands of a first upload. */
  readonly address: string;
  /** CSP nonce for the scripts of this response. */
  readonly nonce: string;
}

/** `/`: all projects, or the results of a search. */
export function IndexPage({ projects, found, search: term, order, address, nonce }: IndexPageProps) {
  const addresses = useAddresses();
  const empty = projects.length === 0;
  const search = term.text;
  const searching = !term.isEmpty;
  const scripts = { nonce, sources: empty && !searching ? [] : [addresses.script('projects')] };
  return (
    <Layout title={searching ? `Search: ${search}` : 'Projects'} current="Projects" scripts={scripts}>
      <div class="page-head">
        <div>
          <h1>Documentation</h1>
          <Count projects={found} search={search} order={order} />
        </div>
        {(searching || !empty) && <SearchForm search={search} order={order} />}
      </div>
      {empty && !searching && <FirstUpload address={address} />}
      {(searching || projects.length > 1) && <Orders order={order} search={search} />}
      {(searching || !empty) && (
        <>
          <ul class="plain-list projects" id="projects" data-complete={searching ? undefined : ''}>
            {projects.map((project) => (
              <ProjectEntry key={project.directoryName} project={project} search={term} />
            ))}
          </ul>
          {found > projects.length && <NotShown shown={projects.length} found={found} />}
          <NothingFound hidden={!empty} />
        </>
      )}
    </Layout>
  );
}

interface Choice {
  readonly search: string;
  readonly order: ProjectOrder;
}

/** Number of projects. `projects.js` updates the first element as people type. */
function Count({ projects, search, order }: Choice & { readonly projects: number }) {
  const addresses = useAddresses();
  if (search === '') {
    return (
      <p class="count">
        <span id="count" role="status">
          {projects === 0 ? 'No projects yet' : counted(projects, 'project')}
        </span>
      </p>
    );
  }
  return (
    <p class="count">
      <span id="count" role="status">
        {projects === 0 ? 'No projects' : counted(projects, 'project')} for “<bdi>{search}</bdi>”
      </span>{' '}
      · <a href={addresses.index({ search: '', order })}>Show all</a>
    </p>
  );
}

const ORDERS = { name: 'Name', newest: 'Newest' } as const satisfies Record<ProjectOrder, string>;

function Orders({ search, order }: Choice) {
  const addresses = useAddresses();
  return (
    <nav class="orders" aria-label="Order">
      <ul class="plain-list">
        {PROJECT_ORDERS.map((each) => (
          <li key={each}>
            <a
              class="order"
              href={addresses.index({ search, order: each })}
              aria-current={each === order ? 'true' : undefined}
            >
              {ORDERS[each]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Note that the list is cut. `projects.js` removes it once it has the whole list. */
function NotShown({ shown, found }: { readonly shown: number; readonly found: number }) {
  return (
    <p class="count" id="not-shown">
      These are the first {shown} of {counted(found, 'project')}. A longer part of the name finds fewer.
    </p>
  );
}

function NothingFound({ hidden }: { readonly hidden: boolean }) {
  const addresses = useAddresses();
  return (
    <section class="notice" id="nothing" aria-labelledby="nothing-title" hidden={hidden}>
      <h2 id="nothing-title">Nothing has that name</h2>
      <p>
        The search looks for a part of a project’s name. Try a shorter word, or{' '}
        <a href={addresses.projects}>look through all projects</a>.
      </p>
    </section>
  );
}

function FirstUpload({ address }: { readonly address: string }) {
  const addresses = useAddresses();
  const { uploads } = useSite();
  return (
    <section class="notice" aria-labelledby="first">
      <h2 id="first">Publish the first documentation</h2>
      {uploads ? (
        <p>Zip a built site, name the archive after project and version, and send it:</p>
      ) : (
        <p>
          This server takes no uploads yet: start it with <code>--tokens</code>. Then zip a built site, name
          the archive after project and version, and send it:
        </p>
      )}
      <Prose blocks={[code(...uploadCommand(address))]} />
      <p>
        It appears here a moment later. <a href={addresses.help}>Help</a> says more about names, archives and
        tokens.
      </p>
    </section>
  );
}
