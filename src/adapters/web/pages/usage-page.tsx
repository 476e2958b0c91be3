import type { MissedPath, PageModels, ShownUsage } from '../../../application/index.js';
import type { PathUsage, Project } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { counted } from '../components/quantities.js';
import { Snippet } from '../components/search/snippet.js';
import { UsageChart } from '../components/usage-chart.js';
import { asset } from '../scripts.js';

const RANGES = [7, 30, 90, 400];
/** Max. labels beside a path. */
const MAX_LABELS = 3;

/** `/-/projects/<project>/usage`: how often its pages are read, and what readers ask for that is missing. */
export function UsagePage({ usage, days }: PageModels['usage']) {
  const addresses = useAddresses();
  const { project, total, from, to, reads, agents, misses, missingFiles } = usage;
  return (
    <Layout
      title={`${project.title}: usage`}
      styles={[addresses.style('usage')]}
      scripts={{ modules: [asset('copy')] }}
    >
      <p class="status">
        <a class="soft-link" href={addresses.project(project)}>
          <bdi>{project.title}</bdi>
        </a>
      </p>
      <h1>
        Usage of <bdi>{project.title}</bdi>
      </h1>
      <p class="count">
        {counted(total.reads, 'read')}
        {total.agents > 0 && `, ${total.agents.toLocaleString('en')} by agents`} and{' '}
        {counted(total.misses - missingFiles.count, 'request')} for missing pages
        {missingFiles.count > 0 && `, ${missingFiles.count.toLocaleString('en')} for missing files`}, {from}{' '}
        to {to} (UTC)
      </p>
      <nav class="usage-ranges" aria-label="Time">
        <ul class="plain-list">
          {RANGES.map((range) => (
            <li key={range}>
              <a
                class="order"
                href={addresses.usage(project, range)}
                aria-current={range === days ? 'page' : undefined}
              >
                {range} days
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <UsageChart days={usage.days} />
      <div class="usage-columns">
        <Versions usage={usage} />
        <Pages project={project} pages={reads} />
        {agents.length > 0 && <Pages project={project} pages={agents} isByAgents />}
        <Missing project={project} pages={misses} />
        <MissingFiles project={project} files={missingFiles.paths} />
      </div>
      <p class="count">
        All counts, by day, version and path:{' '}
        <a class="soft-link" href={addresses.usageData(project, days, 'csv')}>
          CSV
        </a>
        ,{' '}
        <a class="soft-link" href={addresses.usageData(project, days, 'json')}>
          JSON
        </a>
        . HTML pages sent to readers are counted, and Markdown sent to agents; robots that identify themselves
        are not. No address and no cookie is kept. Paths of missing pages are shown as they were requested.
      </p>
    </Layout>
  );
}

function Versions({ usage: { project, versions, others, total } }: { readonly usage: ShownUsage }) {
  const addresses = useAddresses();
  const hasAgents = total.agents > 0;
  const read = new Set(versions.filter(({ reads }) => reads > 0).map(({ label }) => label));
  const unread = project.listed.filter(({ label }) => !read.has(label)).toReversed();
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      {versions.length + others.reads + others.agents + others.misses === 0 ? (
        <p class="count">None in this period.</p>
      ) : (
        <table class="usage-table">
          <Head name="Version" columns={hasAgents ? ['Reads', 'Agents', 'Missing'] : ['Reads', 'Missing']} />
          <tbody>
            {versions.map(({ label, reads, agents, misses }) => {
              const version = project.version(label);
              return (
                <tr key={label}>
                  <th scope="row">
                    {version === undefined ? label : <a href={addresses.site(version)}>{label}</a>}
                  </th>
                  <td>{reads.toLocaleString('en')}</td>
                  {hasAgents && <td>{agents.toLocaleString('en')}</td>}
                  <td>{misses.toLocaleString('en')}</td>
                </tr>
              );
            })}
            {others.reads + others.agents + others.misses > 0 && (
              <tr>
                <th scope="row">hidden or deleted</th>
                <td>{others.reads.toLocaleString('en')}</td>
                {hasAgents && <td>{others.agents.toLocaleString('en')}</td>}
                <td>{others.misses.toLocaleString('en')}</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      {unread.length > 0 && (
        <details class="usage-more">
          <summary>{counted(unread.length, 'version')} without reads</summary>
          <p class="usage-labels">{unread.map(({ label }) => label).join(' · ')}</p>
        </details>
      )}
    </section>
  );
}

interface ReadPages {
  readonly project: Project;
  readonly pages: readonly PathUsage[];
  readonly isByAgents?: boolean;
}

function Pages({ project, pages, isByAgents = false }: ReadPages) {
  const id = isByAgents ? 'agent-pages' : 'pages';
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{isByAgents ? 'Most read by agents' : 'Most read'}</h2>
      {pages.length === 0 ? (
        <p class="count">None in this period.</p>
      ) : (
        <Paths project={project} paths={pages} areRead />
      )}
    </section>
  );
}

function Missing({ project, pages }: { readonly project: Project; readonly pages: readonly MissedPath[] }) {
  const lines = pages.flatMap(({ proposedRedirect }) => proposedRedirect ?? []);
  return (
    <section aria-labelledby="missing">
      <h2 id="missing">Missing pages</h2>
      {pages.length === 0 ? (
        <p class="count">None in this period.</p>
      ) : (
        <Paths project={project} paths={pages} />
      )}
      {lines.length > 0 && (
        <>
          <p class="usage-lines">
            Check these lines before you use them. In <code>_redirects</code> at the root of the latest
            version, they lead readers of all versions to the closest page:
          </p>
          <Snippet title="Lines for _redirects" lines={lines} />
        </>
      )}
    </section>
  );
}

function MissingFiles({
  project,
  files,
}: {
  readonly project: Project;
  readonly files: readonly PathUsage[];
}) {
  if (files.length === 0) return null;
  return (
    <section aria-labelledby="missing-files">
      <h2 id="missing-files">Missing files</h2>
      <Paths project={project} paths={files} />
    </section>
  );
}

interface PathsProps {
  readonly project: Project;
  readonly paths: readonly (PathUsage & Partial<MissedPath>)[];
  /** Whether they are pages that were read, not paths that are missing. */
  readonly areRead?: boolean;
}

/** A table of paths with their counts. */
function Paths({ project, paths, areRead = false }: PathsProps) {
  const addresses = useAddresses();
  return (
    <table class="usage-table">
      <Head name={areRead ? 'Page' : 'Path'} columns={[areRead ? 'Reads' : 'Times']} />
      <tbody>
        {paths.map((each) => (
          <tr key={each.path}>
            <th scope="row">
              {areRead ? (
                <a href={addresses.go(project.latest, addresses.page(each.path))}>{each.path}</a>
              ) : (
                <code>{each.path}</code>
              )}
              <Labels of={each} />
              <Remedy project={project} leadsTo={each.leadsTo} />
            </th>
            <td>{each.count.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Remedy({ project, leadsTo }: { readonly project: Project; readonly leadsTo: string | undefined }) {
  const addresses = useAddresses();
  if (leadsTo === undefined) return null;
  return (
    <span class="usage-labels">
      {project.latest.label} has it now:{' '}
      <a class="soft-link" href={addresses.go(project.latest, addresses.page(leadsTo))}>
        {leadsTo}
      </a>
    </span>
  );
}

function Labels({ of: { versions } }: { readonly of: PathUsage }) {
  const more = versions.length - MAX_LABELS;
  const shown = versions.slice(0, MAX_LABELS).join(', ');
  return <span class="usage-labels">{more > 0 ? `${shown} and ${more} more` : shown}</span>;
}

function Head({ name, columns }: { readonly name: string; readonly columns: readonly string[] }) {
  return (
    <thead>
      <tr>
        {[name, ...columns].map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
