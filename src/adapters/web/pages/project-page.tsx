import type { DiskUse, PageModels } from '../../../application/index.js';
import { counted, describeRules, type Project, sizeOf, whyShadowed } from '../../../domain/index.js';
import { Day } from '../components/day.js';
import { Icon } from '../components/icon.js';
import { Layout } from '../components/layout.js';
import { takesTokens, useAddresses, useSite } from '../components/page-context.js';
import { Copying } from '../components/project/copying.js';
import { Downloads } from '../components/project/downloads.js';
import { ProjectLogo } from '../components/project/project-entry.js';
import { AllVersions, PreviewList } from '../components/project/versions.js';
import { FoundSection, SearchBox } from '../components/search/search-box.js';
import { OWN_ADDRESS } from '../components/search/snippet.js';
import { pasteable } from '../help/help-examples.js';
import { asset } from '../public-files.js';

/** Versions from which on a field filters them, if scripts run. */
const MIN_FILTERED = 20;

/** `/-/projects/<project>`: the project, all its versions, and snippets to copy. */
export function ProjectPage({
  project,
  previews,
  retention,
  diskUse,
  deadLinks = 0,
  sources = new Map(),
  address,
}: PageModels['project']) {
  const addresses = useAddresses();
  const site = useSite();
  const { search: isSearching, usage } = site;
  const search = isSearching && project.isSearched;
  const { title, directoryName, summary, latest, listed } = project;
  // The field stands above the versions, which would move.
  const isFiltered = listed.length >= MIN_FILTERED;
  const scripts = {
    beforePaint: isFiltered ? [asset('versions')] : [],
    modules: ['copy', 'times', 'versions', ...(search ? ['search-keys', 'search-pages'] : [])].map(asset),
  };
  return (
    <Layout
      title={title}
      description={
        summary || `${title} documentation, ${counted(listed.length, 'version')}, latest ${latest.label}`
      }
      styles={search ? ['search'] : []}
      feed={addresses.feed(project)}
      project={project}
      scripts={scripts}
    >
      <div class="line project-head">
        <ProjectLogo project={project} />
        <div class="project-intro">
          <h1>
            <bdi>{title}</bdi>
          </h1>
          {summary !== '' && (
            <p class="lead">
              <bdi>{summary}</bdi>
            </p>
          )}
          <ProjectLabels project={project} />
          <Downloads project={project} />
        </div>
        <p class="buttons">
          <a class="button button-primary" href={addresses.latest(project)}>
            Read {latest.label}
          </a>
          <a class="button" href={addresses.latestArchive(project)}>
            <Icon name="download" />
            Download zip
          </a>
        </p>
      </div>
      <div class="sides project-body">
        <div>
          {search && <Search project={project} />}
          <section
            class="all-versions"
            aria-labelledby="versions"
            data-project={directoryName}
            data-filtered={isFiltered ? '' : undefined}
          >
            <h2 id="versions">
              Versions <span class="tally">{listed.length}</span>
            </h2>
            {(listed.length > 1 || deadLinks > 0 || usage || takesTokens(site)) && (
              <p class="count line">
                {listed.length > 1 && (
                  <a class="quiet-link" href={addresses.compare(project)}>
                    Compare versions
                  </a>
                )}
                {deadLinks > 0 && (
                  <a class="quiet-link" href={addresses.links(latest)}>
                    {counted(deadLinks, 'dead link')}
                  </a>
                )}
                {usage && (
                  <a class="quiet-link" href={addresses.usage(project)}>
                    Usage
                  </a>
                )}
                {takesTokens(site) && (
                  <a class="quiet-link" href={addresses.manage(project)}>
                    Manage
                  </a>
                )}
              </p>
            )}
            <AllVersions project={project} sources={sources} />
            {[...project.shadowed].map((alias) => (
              <p class="count" key={alias}>
                {whyShadowed(directoryName, alias)}.
              </p>
            ))}
            <PreviewList previews={previews} sources={sources} />
            <RetentionNote {...retention} />
            <DiskUseNote use={diskUse} />
          </section>
        </div>
        <Copying project={project} address={address === undefined ? OWN_ADDRESS : pasteable(address)} />
      </div>
    </Layout>
  );
}

/** Search in the pages of the latest version. */
function Search({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const { title, directoryName, latest } = project;
  return (
    <div class="project-search">
      <SearchBox
        action={addresses.search()}
        name="q"
        value=""
        label={`Search the pages of ${title} ${latest.label}`}
        placeholder={`Search in ${latest.label}`}
        parameters={{ project: directoryName }}
      />
      <FoundSection address={addresses.search({ project: directoryName })} isTitleShown={false} hidden />
    </div>
  );
}

/** The rules by which versions of a project are removed, and which version goes next. Nothing where all are kept. */
function RetentionNote({ rules, plan }: PageModels['project']['retention']) {
  const sentences = describeRules(rules);
  if (sentences.length === 0) return null;
  const next = plan.find(({ dueMs }) => dueMs > 0);
  return (
    <details class="retention above-4">
      <summary>Retention</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`}</li>
        ))}
        <li>The latest version and versions with an alias are always kept.</li>
      </ul>
      {next !== undefined && (
        <p>
          Next to be removed: {next.version.label}, on <Day date={new Date(next.dueMs)} />.
        </p>
      )}
    </details>
  );
}

/** Disk use of a project, in all and by part. Nothing where nothing is counted. */
function DiskUseNote({ use: { versions, previews, removed } }: { readonly use: DiskUse }) {
  const all = { versions, previews, 'removed versions': removed };
  const parts = Object.entries(all).filter(([, bytes]) => bytes > 0);
  if (parts.length === 0) return null;
  return (
    <p class="count">
      {sizeOf(versions + previews + removed)} on disk
      {parts.length > 1 && `: ${parts.map(([what, bytes]) => `${what} ${sizeOf(bytes)}`).join(', ')}`}
    </p>
  );
}

/** Fields of the docinfo beside name and description: group, owner, repository, contact, tags. */
function ProjectLabels({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  const { group, tags = [], owner, repository, contact } = project.docinfo;
  const facts = {
    Group: group && (
      <a class="quiet-link" href={addresses.index({ group })}>
        {group}
      </a>
    ),
    Owner: owner && (
      <a class="quiet-link" href={addresses.index({ owner })}>
        {owner}
      </a>
    ),
    Repository: repository && <Linked text={repository} />,
    Contact: contact && <Linked text={contact} />,
    Tags:
      tags.length === 0
        ? undefined
        : tags.map((tag) => (
            <a class="quiet tag" key={tag} href={addresses.index({ tag })}>
              {tag}
            </a>
          )),
  };
  const given = Object.entries(facts).filter(([, value]) => value !== undefined);
  const { directoryName, title } = project;
  if (given.length === 0 && title === directoryName) return null;
  return (
    <dl class="project-labels line">
      {title !== directoryName && (
        <div>
          <dt class="visually-hidden">Id</dt>
          <dd>
            <code class="directory-name small">{directoryName}</code>
          </dd>
        </div>
      )}
      {given.map(([name, value]) => (
        <div key={name}>
          <dt
            class={name === 'Group' || name === 'Owner' || name === 'Contact' ? undefined : 'visually-hidden'}
          >
            {name}
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Text that is a link if it is an address of the web or of e-mail. */
function Linked({ text }: { readonly text: string }) {
  if (/^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)) {
    return (
      <a class="quiet-link" href={text} rel="external noreferrer">
        {text.replace(/^https?:\/\//i, '')}
      </a>
    );
  }
  // Half a surrogate pair (Cs) cannot be encoded.
  if (/^[^\s@:?&/\p{Cs}]+@[^\s@:?&/\p{Cs}]+$/u.test(text))
    return (
      <a class="quiet-link" href={`mailto:${encodeURIComponent(text)}`} rel="external">
        {text}
      </a>
    );
  return <>{text}</>;
}
