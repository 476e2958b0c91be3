import type { ComponentChildren } from 'preact';
import type { MissedPath, ShownUsage, UsageModel } from '../../../application/index.js';
import { counted, type PathUsage, type Project } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { Snippet } from '../components/search/snippet.js';
import { asset } from '../public-files.js';
import { UsageChart } from './usage-chart.js';

const RANGES = [7, 30, 90, 400];
/** Max. labels beside a path. */
const MAX_LABELS = 3;

/** `/-/projects/<project>/usage`: how often its pages are read, and what readers ask for that is missing. */
export function UsagePage({ usage, days }: UsageModel) {
  const addresses = useAddresses();
  const { project, total, from, to, reads, agents, misses, missingFiles } = usage;
  const counts = [
    [total.reads, 'read'],
    [total.agents, 'agent read'],
    [total.misses - missingFiles.count, 'missing page'],
    [missingFiles.count, 'missing file'],
  ] as const;
  return (
    <Layout
      title={`${project.title}: usage`}
      styles={['usage']}
      scripts={{ modules: [asset('copy')] }}
      project={project}
    >
      <p class="small">
        <a class="quiet-link" href={addresses.project(project)}>
          <bdi>{project.title}</bdi>
        </a>
      </p>
      <h1>
        Usage of <bdi>{project.title}</bdi>
      </h1>
      <p class="count">
        {from} to {to} (UTC)
      </p>
      <nav class="orders above-3" aria-label="Time">
        <ul class="plain-list line">
          {RANGES.map((range) => (
            <li key={range}>
              <a
                class="quiet order"
                href={addresses.usage(project, range)}
                aria-current={range === days ? 'page' : undefined}
              >
                {range} days
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul class="plain-list above-4 usage-counts">
        {counts.map(([count, what]) => (
          <li class="card small" key={what}>
            <strong class="title">{count.toLocaleString('en')}</strong> {count === 1 ? what : `${what}s`}
          </li>
        ))}
      </ul>
      <UsageChart days={usage.days} />
      <div class="sides usage-columns">
        <Versions usage={usage} />
        <Section id="pages" title="Most read" isEmpty={reads.length === 0}>
          <Paths project={project} paths={reads} areRead />
        </Section>
        {agents.length > 0 && (
          <Section id="agent-pages" title="Most read by agents">
            <Paths project={project} paths={agents} areRead />
          </Section>
        )}
      </div>
      <div class="sides usage-columns">
        <Section id="missing" title="Missing pages" isEmpty={misses.length === 0}>
          <Paths project={project} paths={misses} />
          <ProposedLines of={misses} />
        </Section>
        {missingFiles.paths.length > 0 && (
          <Section id="missing-files" title="Missing files">
            <Paths project={project} paths={missingFiles.paths} />
          </Section>
        )}
      </div>
      <p class="count">
        All counts, by day, version and path: <a href={addresses.usageData(project, days, 'csv')}>CSV</a>,{' '}
        <a href={addresses.usageData(project, days, 'json')}>JSON</a>. HTML pages sent to readers are counted,
        and Markdown sent to agents; robots that identify themselves are not. No address and no cookie is
        kept. Paths of missing pages are shown as they were requested. A path without a version is one of{' '}
        {project.latest.label}, the latest.
      </p>
    </Layout>
  );
}

function Versions({ usage: { project, versions, others, total } }: { readonly usage: ShownUsage }) {
  const addresses = useAddresses();
  const hasAgents = total.agents > 0;
  const read = new Set(versions.filter(({ reads }) => reads > 0).map(({ label }) => label));
  const unread = project.listed.filter(({ label }) => !read.has(label)).toReversed();
  const row = (name: ComponentChildren, { reads, agents, misses }: ShownUsage['total']) => (
    <tr>
      <th scope="row">{name}</th>
      {(hasAgents ? [reads, agents, misses] : [reads, misses]).map((count) => (
        <td>{count.toLocaleString('en')}</td>
      ))}
    </tr>
  );
  const hasOthers = others.reads + others.agents + others.misses > 0;
  return (
    <Section
      id="versions"
      title="Versions"
      isEmpty={versions.length === 0 && !hasOthers}
      more={
        unread.length > 0 && (
          <details class="usage-more above-3 small">
            <summary>{counted(unread.length, 'version')} without reads</summary>
            <p class="small">{unread.map(({ label }) => label).join(' · ')}</p>
          </details>
        )
      }
    >
      <table class="usage-table">
        <Head name="Version" columns={hasAgents ? ['Reads', 'Agents', 'Missing'] : ['Reads', 'Missing']} />
        <tbody>
          {versions.map(({ label, ...counts }) => {
            const version = project.version(label);
            const link = version && (
              <a class="quiet-link" href={addresses.site(version)}>
                {label}
              </a>
            );
            return row(link ?? label, counts);
          })}
          {hasOthers && row('hidden or deleted', others)}
        </tbody>
      </table>
    </Section>
  );
}

function ProposedLines({ of: pages }: { readonly of: readonly MissedPath[] }) {
  const lines = pages.flatMap(({ proposedRedirect }) => proposedRedirect ?? []);
  if (lines.length === 0) return null;
  return (
    <>
      <p class="usage-lines">
        Check these lines before you use them. In <code>_redirects</code> at the root of the latest version,
        they lead readers of all versions to the closest page:
      </p>
      <Snippet title="Lines for _redirects" lines={lines} />
    </>
  );
}

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly isEmpty?: boolean;
  /** Content at the end, also of an empty section. */
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

function Section({ id, title, isEmpty = false, more, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {isEmpty ? <p class="count">None in this period.</p> : children}
      {more}
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
  const latestOf = (path: string) => addresses.go(project.latest, addresses.page(path));
  return (
    <table class="usage-table">
      <Head name={areRead ? 'Page' : 'Path'} columns={[areRead ? 'Reads' : 'Requests']} />
      <tbody>
        {paths.map((each) => (
          <tr key={each.path}>
            <th scope="row">
              {areRead ? (
                <a class="quiet-link" href={latestOf(each.path)}>
                  {each.path}
                </a>
              ) : (
                <code>{each.path}</code>
              )}
              <Labels of={each} latest={project.latest.label} />
              {each.leadsTo !== undefined && (
                <div class="small">
                  {project.latest.label} has it now: <a href={latestOf(each.leadsTo)}>{each.leadsTo}</a>
                </div>
              )}
            </th>
            <td>{each.count.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The versions in which a path was asked for; nothing where it is the latest one alone. */
function Labels({ of: { versions }, latest }: { readonly of: PathUsage; readonly latest: string }) {
  if (versions.every((label) => label === latest)) return null;
  const more = versions.length - MAX_LABELS;
  const shown = versions.slice(0, MAX_LABELS).join(', ');
  return <div class="small">{more > 0 ? `${shown} and ${more} more` : shown}</div>;
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
