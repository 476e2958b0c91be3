import type { Missing, Suggestions, Whereabouts } from '../../../application/index.js';
import type { Project } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { ProjectEntry } from '../components/project-entry.js';
import { VersionList } from '../components/version-list.js';

export interface MissingPageProps {
  readonly missing: Missing;
  readonly suggestions: Suggestions;
}

/** 404: names the missing project, version or page, and links suggestions. */
export function MissingPage({ missing, suggestions }: MissingPageProps) {
  return (
    <Layout title={TITLES[missing.what]}>
      <div class="narrow">
        <p class="status">404</p>
        <h1>{TITLES[missing.what]}</h1>
        <Explanation missing={missing} suggestions={suggestions} />
        <OtherVersions missing={missing} page={suggestions.page} />
        {suggestions.projects.length > 0 && (
          <section aria-labelledby="closest">
            <h2 id="closest">Did you mean</h2>
            <ul class="plain-list projects projects-few">
              {suggestions.projects.map((project) => (
                <ProjectEntry key={project.directoryName} project={project} />
              ))}
            </ul>
          </section>
        )}
      </div>
    </Layout>
  );
}

const TITLES = {
  project: 'No such project',
  version: 'No such version',
  page: 'No such page',
} as const satisfies Record<Missing['what'], string>;

/** Links to the page in the project's other versions. */
function OtherVersions({ missing, page }: { readonly missing: Missing; readonly page: string }) {
  if (missing.what === 'project') return null;
  const { project } = missing;
  const lacking = missing.what === 'page' ? missing.version.label : undefined;
  const versions = project.versions.filter(({ label }) => label !== lacking).toReversed();
  if (versions.length === 0) return null;
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">
        {page === '' ? 'Versions of' : 'Look for this page in another version of'} <bdi>{project.name}</bdi>
      </h2>
      <VersionList project={project} versions={versions} page={page} />
    </section>
  );
}

type ExplanationProps = Pick<MissingPageProps, 'missing' | 'suggestions'>;

function Explanation({ missing, suggestions: { nearest, inLatest } }: ExplanationProps) {
  const addresses = useAddresses();
  if (missing.what === 'project') {
    return (
      <>
        <p>Nothing is published under this address. Its project may have another name, or may be gone.</p>
        <ul class="plain-list actions">
          <ToProjects />
        </ul>
      </>
    );
  }
  const { project } = missing;
  if (missing.what === 'version') {
    return (
      <>
        <p>
          <bdi>{project.name}</bdi> is here, but not in this version.
        </p>
        <ul class="plain-list actions">
          <ToLatest project={project} found={inLatest} />
          <ToProject project={project} />
          <ToProjects />
        </ul>
      </>
    );
  }
  const { version } = missing;
  const front = addresses.site(version);
  return (
    <>
      <p>
        <bdi>{project.name}</bdi> {version.label} is here, but it has no such page.
      </p>
      <ul class="plain-list actions">
        {nearest !== undefined && !isFront(nearest) && (
          <li class="action">
            <a href={addresses.found(nearest)}>The nearest page that it has</a>{' '}
            <code>{readable(nearest)}</code>
          </li>
        )}
        {(version.label !== project.latest.label || inLatest?.isSame) && (
          <ToLatest project={project} found={inLatest} />
        )}
        <li class="action">
          <a href={front}>
            The front page of <bdi>{project.name}</bdi> {version.label}
          </a>
        </li>
        <ToProject project={project} />
        <ToProjects />
      </ul>
    </>
  );
}

function ToLatest({
  project,
  found,
}: {
  readonly project: Project;
  readonly found: Whereabouts | undefined;
}) {
  const addresses = useAddresses();
  const isPage = found !== undefined && !isFront(found);
  return (
    <li class="action">
      <a href={isPage ? addresses.found(found) : addresses.latest(project)}>
        {isPage && found.isSame ? 'This page in the latest version' : 'The latest version'},{' '}
        <bdi>{project.latest.label}</bdi>
      </a>
    </li>
  );
}

/** Returns whether the address is the front page of a site, which has its own link. */
function isFront({ to }: Whereabouts): boolean {
  return /^\/[^/]*\/$/.test(to);
}

/** Returns the decoded path inside the site. */
function readable({ to }: Whereabouts): string {
  return decodeURIComponent(to.slice(to.indexOf('/', 1) + 1));
}

function ToProject({ project }: { readonly project: Project }) {
  const addresses = useAddresses();
  return (
    <li class="action">
      <a href={addresses.project(project)}>
        All versions of <bdi>{project.name}</bdi>
      </a>
    </li>
  );
}

function ToProjects() {
  const addresses = useAddresses();
  return (
    <li class="action">
      <a href={addresses.projects}>All projects</a>
    </li>
  );
}
