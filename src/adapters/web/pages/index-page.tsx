import type { Project } from '../../../domain/index.js';
import { addresses } from '../addresses.js';
import { Layout, type Site } from '../components/layout.js';
import { ProjectEntry } from '../components/project-entry.js';
import { Prose } from '../components/prose.js';
import { SearchForm } from '../components/search-form.js';
import { code } from '../help/block.js';
import { uploadCommand } from '../help/help-examples.js';

export interface IndexPageProps {
  readonly site: Site;
  /** Sorted and filtered already. */
  readonly projects: readonly Project[];
  /** What was searched for; the empty string when nothing was. */
  readonly search: string;
  /** The server's own address, for the first upload. */
  readonly address: string;
}

/** `/`: all projects, or those that a search has found. */
export function IndexPage({ site, projects, search, address }: IndexPageProps) {
  const empty = projects.length === 0;
  const searching = search !== '';
  return (
    <Layout site={site} title={searching ? `Search: ${search}` : 'Projects'} current="Projects">
      <div class="page-head">
        <div>
          <h1>Documentation</h1>
          <Count projects={projects.length} search={search} />
        </div>
        {(searching || !empty) && <SearchForm search={search} />}
      </div>
      {empty && (searching ? <NothingFound /> : <FirstUpload address={address} uploads={site.uploads} />)}
      {!empty && (
        <ul class="plain-list projects">
          {projects.map((project) => (
            <ProjectEntry key={project.directoryName} project={project} />
          ))}
        </ul>
      )}
    </Layout>
  );
}

function Count({ projects, search }: { readonly projects: number; readonly search: string }) {
  const count = projects === 1 ? '1 project' : `${projects === 0 ? 'No' : projects} projects`;
  if (search === '') return <p class="count">{projects === 0 ? 'No projects yet' : count}</p>;
  return (
    <p class="count">
      {count} for “<bdi>{search}</bdi>” · <a href={addresses.projects}>Show all</a>
    </p>
  );
}

function NothingFound() {
  return (
    <section class="notice" aria-labelledby="nothing">
      <h2 id="nothing">Nothing has that name</h2>
      <p>
        The search looks for a part of a project’s name. Try a shorter word, or{' '}
        <a href={addresses.projects}>look through all projects</a>.
      </p>
    </section>
  );
}

function FirstUpload({ address, uploads }: { readonly address: string; readonly uploads: boolean }) {
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
