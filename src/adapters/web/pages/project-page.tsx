import type { PageModels } from '../../../application/index.js';
import { counted, type Project, whyShadowed } from '../../../domain/index.js';
import { addressesAt } from '../addresses.js';
import { Layout } from '../components/layout.js';
import { takesTokens, useAddresses, useSite } from '../components/page-context.js';
import { AgentSetUp } from '../components/project/agent-set-up.js';
import { AllVersions } from '../components/project/all-versions.js';
import { DiskUseNote } from '../components/project/disk-use-note.js';
import { PreviewList } from '../components/project/preview-list.js';
import { ProjectLabels } from '../components/project/project-labels.js';
import { ProjectLogo } from '../components/project/project-logo.js';
import { RetentionNote } from '../components/project/retention-note.js';
import { FoundSection } from '../components/search/found-section.js';
import { SearchBox } from '../components/search/search-box.js';
import { OWN_ADDRESS, Snippet } from '../components/search/snippet.js';
import { pasteable } from '../help/help-examples.js';
import { asset } from '../scripts.js';

/** `/-/projects/<project>`: the project, all its versions, and snippets to copy. */
export function ProjectPage({ project, previews, retention, diskUse, address }: PageModels['project']) {
  const addresses = useAddresses();
  const site = useSite();
  const { search: isSearching, usage } = site;
  const search = isSearching && project.isSearched;
  const { title, directoryName, summary, latest, listed } = project;
  const scripts = ['copy', 'times', 'versions', ...(search ? ['search-keys', 'search-pages'] : [])];
  return (
    <Layout
      title={title}
      description={summary}
      styles={search ? [addresses.style('search')] : []}
      scripts={{ modules: scripts.map(asset) }}
    >
      <div class="project-head">
        <ProjectLogo project={project} />
        <div>
          <h1>
            <bdi>{title}</bdi>
          </h1>
          <p class="count">
            {title !== directoryName && (
              <>
                <code class="directory-name">{directoryName}</code> ·{' '}
              </>
            )}
            {counted(listed.length, 'version')}
          </p>
          {summary !== '' && (
            <p class="lead">
              <bdi>{summary}</bdi>
            </p>
          )}
          <ProjectLabels project={project} />
          <p class="buttons">
            <a class="button" href={addresses.latest(project)}>
              Read {latest.label}
            </a>
            <a class="button button-quiet" href={addresses.latestArchive(project)}>
              Download zip
            </a>
          </p>
        </div>
      </div>
      <div class="project-body">
        <div>
          {search && <Search project={project} />}
          <section class="all-versions" aria-labelledby="versions" data-project={directoryName}>
            <h2 id="versions">Versions</h2>
            {(listed.length > 1 || usage || takesTokens(site)) && (
              <p class="count project-links">
                {listed.length > 1 && (
                  <a class="soft-link" href={addresses.compare(project)}>
                    What changed between two versions
                  </a>
                )}
                {usage && (
                  <a class="soft-link" href={addresses.usage(project)}>
                    Usage
                  </a>
                )}
                {takesTokens(site) && (
                  <a class="soft-link" href={addresses.manage(project)}>
                    Manage
                  </a>
                )}
              </p>
            )}
            <AllVersions project={project} />
            {[...project.shadowed].map((alias) => (
              <p class="count" key={alias}>
                {whyShadowed(directoryName, alias)}.
              </p>
            ))}
            <PreviewList previews={previews} />
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

interface CopyingProps {
  readonly project: Project;
  readonly address: string;
}

function Copying({ project, address }: CopyingProps) {
  const addresses = useAddresses();
  const { uploads, client } = useSite();
  const { directoryName, latest } = project;
  const outside = addressesAt((path) => address + path);
  const readAt = addresses.latest(project);
  return (
    <section class="copying" aria-labelledby="copying">
      <h2 id="copying">Use it elsewhere</h2>
      <Snippet
        title="Address of the latest version"
        lines={[readAt.startsWith('/') ? outside.latest(project) : readAt]}
      />
      <Snippet
        title="Download the latest version"
        lines={[`curl -OJ ${address}/api/download/${directoryName}/latest`]}
      />
      {uploads && (
        <Snippet
          title="Publish another version"
          lines={
            client === undefined ? curlLines(directoryName, address) : clientLines(directoryName, address)
          }
        />
      )}
      {uploads && client !== undefined && (
        <p class="count">
          SHA-256 of the client: <code>{client.sha256}</code>
        </p>
      )}
      <AgentSetUp address={address} />
      <Snippet
        title="Badge, as Markdown"
        lines={[`[![docs](${outside.badge(project)})](${outside.latest(project)})`]}
      />
      <p>
        <img class="badge" src={addresses.badge(project)} alt={`docs: ${latest.label}`} height="20" />
      </p>
    </section>
  );
}

function curlLines(directoryName: string, address: string): readonly string[] {
  return [
    'curl -H "X-Token: $LECTERN_TOKEN" \\',
    `  -F "file=@${directoryName}-<version>-docs.zip" \\`,
    `  ${address}/api/upload`,
  ];
}

function clientLines(directoryName: string, address: string): readonly string[] {
  return [
    `curl -fsSL ${address}/-/client.mjs -o lectern.mjs`,
    `LECTERN_URL=${address} node lectern.mjs push build/html --project ${directoryName} --version <version>`,
  ];
}
