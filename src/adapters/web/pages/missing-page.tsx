import type { Missing } from '../../../application/read-page.js';
import { addresses } from '../addresses.js';
import { Layout, type Site } from '../components/layout.js';
import { VersionList } from '../components/version-list.js';

export interface MissingPageProps {
  readonly site: Site;
  readonly missing: Missing;
}

/** 404: says which of project, version and page is missing, and leads to what exists. */
export function MissingPage({ site, missing }: MissingPageProps) {
  return (
    <Layout site={site} title={TITLES[missing.what]}>
      <div class="narrow">
        <p class="status">404</p>
        <h1>{TITLES[missing.what]}</h1>
        <Explanation missing={missing} />
        {missing.what !== 'project' && (
          <section aria-labelledby="versions">
            <h2 id="versions">
              Versions of <bdi>{missing.project.name}</bdi>
            </h2>
            <VersionList project={missing.project} />
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

function Explanation({ missing }: { readonly missing: Missing }) {
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
  const toLatest = (
    <li class="action">
      <a href={addresses.latest(project)}>
        The latest version, <bdi>{project.latest.label}</bdi>
      </a>
    </li>
  );
  if (missing.what === 'version') {
    return (
      <>
        <p>
          <bdi>{project.name}</bdi> is here, but not in this version.
        </p>
        <ul class="plain-list actions">
          {toLatest}
          <ToProjects />
        </ul>
      </>
    );
  }
  const { version } = missing;
  return (
    <>
      <p>
        <bdi>{project.name}</bdi> {version.label} is here, but it has no such page.
      </p>
      <ul class="plain-list actions">
        <li class="action">
          <a href={addresses.site(version)}>
            The front page of <bdi>{project.name}</bdi> {version.label}
          </a>
        </li>
        {version.label !== project.latest.label && toLatest}
        <ToProjects />
      </ul>
    </>
  );
}

function ToProjects() {
  return (
    <li class="action">
      <a href={addresses.projects}>All projects</a>
    </li>
  );
}
