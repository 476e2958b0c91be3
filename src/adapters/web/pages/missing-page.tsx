import type { ComponentChildren } from 'preact';
import type { Missing, PageModels, Whereabouts } from '../../../application/index.js';
import { isSearched, type Located, nameInProject, projectTitle, wordsOfPage } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses, useSite } from '../components/page-context.js';
import { ProjectEntry } from '../components/project/project-entry.js';
import { VersionList } from '../components/project/version-list.js';
import { SearchBox } from '../components/search/search-box.js';
import { asset, scriptsOf } from '../public-files.js';

/** Scripts of a page with a field. */
const KEYS = { modules: [asset('search-keys')] };
// Read with this module: the page is shown, also when the process may open no more files.
scriptsOf(KEYS);

/** 404: names the missing project, version or page, and links suggestions. */
export function MissingPage({ missing, suggestions, signIn }: PageModels['missing']) {
  return (
    <Layout title={TITLES[missing.what]} scripts={useHasField(missing) ? KEYS : undefined}>
      <div class="missing-columns sides">
        <div class="narrow measure">
          <p class="small">404</p>
          <h1>{TITLES[missing.what]}</h1>
          <Explanation missing={missing} suggestions={suggestions} signIn={signIn} />
        </div>
        <div class="narrow measure">
          <OtherVersions missing={missing} suggestions={suggestions} />
          {suggestions.projects.length > 0 && (
            <section aria-labelledby="closest">
              <h2 id="closest">Did you mean</h2>
              <ul class="plain-list projects">
                {suggestions.projects.map((project) => (
                  <ProjectEntry key={project.directoryName} project={project} />
                ))}
              </ul>
            </section>
          )}
        </div>
      </div>
    </Layout>
  );
}

const TITLES = {
  project: 'No such project',
  version: 'No such version',
  preview: 'No such preview',
  page: 'No such page',
} as const satisfies Record<Missing['what'], string>;

/** Links to the page in other versions that have it; where no page was asked for, to all versions. */
function OtherVersions({ missing, suggestions: { page, inOthers } }: PageModels['missing']) {
  if (missing.what === 'project' || missing.project === undefined) return null;
  const { project } = missing;
  const isFront = page === '';
  const versions = isFront ? project.listed.toReversed() : inOthers.map(({ version }) => version);
  if (versions.length === 0) return null;
  return (
    <section aria-labelledby="versions">
      <h2 id="versions">
        {isFront ? (
          <>
            Versions of <bdi>{project.title}</bdi>
          </>
        ) : (
          'This page in other versions'
        )}
      </h2>
      <VersionList project={project} versions={versions} page={page} />
    </section>
  );
}

/** Returns whether the page has a field to search instead. */
function useHasField(missing: Missing): boolean {
  const { search: findsPages = false } = useSite();
  const place = placeOf(missing);
  return findsPages && (place === undefined || isSearched(place));
}

/** A search for the words of the missing page, in the version that lacks it, or in the latest one of the project, or of all. */
function SearchInstead({ missing, page }: { readonly missing: Missing; readonly page: string }) {
  const addresses = useAddresses();
  const place = placeOf(missing);
  if (!useHasField(missing)) return null;
  const version = missing.what === 'page' ? nameInProject(missing.version) : undefined;
  const where =
    place === undefined ? 'all projects' : `${projectTitle(place)} ${nameInProject(place.version)}`;
  return (
    <SearchBox
      action={addresses.search()}
      name="q"
      value={wordsOfPage(page)}
      label={`Search the pages of ${where}`}
      placeholder={`Search in ${where}`}
      isLarge
      parameters={{ project: place?.version.project, version }}
    />
  );
}

function placeOf(missing: Missing): Located | undefined {
  if (missing.what === 'page') return missing;
  return missing.what === 'project'
    ? undefined
    : { project: missing.project, version: missing.project.latest };
}

function Explanation({ missing, suggestions, signIn }: PageModels['missing']) {
  const { closest, nearest, inLatest } = suggestions;
  const addresses = useAddresses();
  const project = missing.what === 'project' ? undefined : missing.project;
  const version = missing.what === 'page' ? missing.version : undefined;
  const isInLatest = inLatest !== undefined && !isFront(inLatest);
  return (
    <>
      <p>
        <Finding missing={missing} />
      </p>
      <SearchInstead missing={missing} page={suggestions.page} />
      {closest.length > 0 && (
        <section aria-labelledby="close-pages">
          <h2 id="close-pages">Did you mean</h2>
          <ul class="plain-list stack actions">
            {closest.map((page) => (
              <Action key={page.to} to={addresses.found(page)}>
                <code>{readable(page)}</code>
              </Action>
            ))}
          </ul>
        </section>
      )}
      <ul class="plain-list stack actions">
        <SignIn address={signIn} />
        {nearest !== undefined && !isFront(nearest) && !closest.some(({ to }) => to === nearest.to) && (
          <li class="action">
            <a class="quiet-link" href={addresses.found(nearest)}>
              The nearest page above it
            </a>{' '}
            <code>{readable(nearest)}</code>
          </li>
        )}
        {project !== undefined &&
          (version === undefined || !project.isLatest(version) || inLatest?.isSame) && (
            <Action to={isInLatest ? addresses.found(inLatest) : addresses.latest(project)}>
              {isInLatest && inLatest.isSame ? 'This page in the latest version' : 'The latest version'},{' '}
              <bdi>{project.latest.label}</bdi>
            </Action>
          )}
        {missing.what === 'page' && (
          <Action to={addresses.site(missing.version)}>
            The front page of <bdi>{projectTitle(missing)}</bdi> {missing.version.label}
          </Action>
        )}
        {project !== undefined && (
          <Action to={addresses.project(project)}>
            All versions of <bdi>{project.title}</bdi>
          </Action>
        )}
        <Action to={addresses.projects}>All projects</Action>
      </ul>
    </>
  );
}

/** The sentence that says what is there, and what is not. */
function Finding({ missing }: { readonly missing: Missing }) {
  switch (missing.what) {
    case 'project':
      return <>Nothing is published under this address. Its project may have another name, or may be gone.</>;
    case 'version':
      return (
        <>
          <bdi>{missing.project.title}</bdi> is here, but not in this version.
        </>
      );
    case 'preview':
      return (
        <>
          <bdi>{missing.project.title}</bdi> is here, but this preview of it is not. Previews are removed when
          they expire, or when they are no longer needed.
        </>
      );
    case 'page':
      return (
        <>
          <bdi>{projectTitle(missing)}</bdi> {missing.version.label} is here, but it has no such page.
        </>
      );
  }
}

function Action({ to, children }: { readonly to: string; readonly children: ComponentChildren }) {
  return (
    <li class="action">
      <a class="quiet-link" href={to}>
        {children}
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

/** Any error that is not a missing page. */
export function FailurePage({ status, title, message, requestId, signIn }: PageModels['failure']) {
  const addresses = useAddresses();
  return (
    <Layout title={title}>
      <div class="narrow measure">
        <p class="small">{status}</p>
        <h1>{title}</h1>
        <p>{message}</p>
        <ul class="plain-list stack actions">
          <SignIn address={signIn} />
          <li class="action">
            <a class="quiet-link" href={addresses.projects}>
              All projects
            </a>
          </li>
        </ul>
        {requestId !== undefined && (
          <p class="count">
            Request <code>{requestId}</code>
          </p>
        )}
      </div>
    </Layout>
  );
}

/** A link to sign in, for readers who may see more then. It says nothing of whether there is more. */
function SignIn({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return null;
  return (
    <li class="action">
      <a href={address}>Sign in</a> to see what not everybody may read
    </li>
  );
}
