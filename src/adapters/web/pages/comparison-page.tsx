import type { ComponentChildren } from 'preact';
import type { PageModels, VersionComparison } from '../../../application/index.js';
import { counted, nameInProject, type Project, type Version } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';

/** `/-/compare/<project>/<version>/<version>`: pages added, removed and changed, with links to both sides. */
export function ComparisonPage({ comparison, part, offset }: PageModels['comparison']) {
  const addresses = useAddresses();
  const { project, before, after, added, removed, changed, unchanged, isCut } = comparison;
  const counts = [
    `${changed.length} changed`,
    `${added.length} added`,
    `${removed.length} removed`,
    `${unchanged} unchanged`,
  ];
  const shown = Math.max(part.added.length, part.removed.length, part.changed.length);
  return (
    <Layout
      title={`${project.title}: ${before.label} and ${after.label}`}
      description={`What changed from ${before.label} to ${after.label}: ${counts.join(', ')} pages`}
      styles={['compare']}
    >
      <p class="status">
        <a class="soft-link" href={addresses.project(project)}>
          <bdi>{project.title}</bdi>
        </a>
      </p>
      <h1>
        What changed from {nameInProject(before)} to {nameInProject(after)}
      </h1>
      <p class="count">Pages: {counts.join(' · ')}</p>
      <VersionForm project={project} before={before} after={after} />
      {isCut && <p>One of them is a copied-in directory with more files than are compared.</p>}
      <Changed comparison={comparison} part={part} />
      <Added comparison={comparison} part={part} />
      <Removed comparison={comparison} part={part} />
      {part.more && (
        <p class="buttons">
          <a
            class="button button-quiet"
            href={`${addresses.comparison(project, before, after)}?offset=${offset + shown}`}
          >
            More pages
          </a>
        </p>
      )}
      <p class="count">
        Pages are compared by the text of their main content. Other files, and the look of a page, are not.
      </p>
    </Layout>
  );
}

/** A choice of two versions, which works without scripts. */
function VersionForm({ project, before, after }: Pick<VersionComparison, 'project' | 'before' | 'after'>) {
  const addresses = useAddresses();
  return (
    <form class="compare-form" action={addresses.compare(project)}>
      <VersionChoice name="before" title="From" project={project} chosen={before} />
      <VersionChoice name="after" title="To" project={project} chosen={after} />
      <button class="button" type="submit">
        Compare
      </button>
    </form>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly title: string;
  readonly project: Project;
  readonly chosen: Version;
}

function VersionChoice({ name, title, project, chosen }: ChoiceProps) {
  return (
    <label class="compare-choice">
      <span>{title}</span>
      <select name={name}>
        {[...(project.listed.includes(chosen) ? [] : [chosen]), ...project.listed.toReversed()].map(
          (version) => (
            <option
              key={version.directoryName}
              value={nameInProject(version)}
              selected={version.directoryName === chosen.directoryName}
            >
              {nameInProject(version)}
            </option>
          ),
        )}
      </select>
    </label>
  );
}

interface PartProps {
  readonly comparison: VersionComparison;
  readonly part: PageModels['comparison']['part'];
}

function Changed({ comparison: { project, before, after, changed }, part }: PartProps) {
  const addresses = useAddresses();
  const comparison = addresses.comparison(project, before, after);
  if (part.changed.length === 0) return null;
  return (
    <PageList what="changed" count={changed.length}>
      {part.changed.map((page) => (
        <li key={page.after}>
          <Titled
            to={`${comparison}/${addresses.page(page.after)}`}
            path={page.after}
            title={part.titles.get(page.after)}
          />
          <span class="compared-sides">
            <a class="soft-link" href={addresses.site(before) + addresses.page(page.before)}>
              {before.label}
            </a>
            <a class="soft-link" href={addresses.site(after) + addresses.page(page.after)}>
              {after.label}
            </a>
          </span>
        </li>
      ))}
    </PageList>
  );
}

function Added({ comparison: { after, added }, part }: PartProps) {
  const addresses = useAddresses();
  if (part.added.length === 0) return null;
  return (
    <PageList what="added" count={added.length}>
      {part.added.map((path) => (
        <li key={path}>
          <Titled
            to={addresses.site(after) + addresses.page(path)}
            path={path}
            title={part.titles.get(path)}
          />
        </li>
      ))}
    </PageList>
  );
}

function Removed({ comparison: { before, after, removed }, part }: PartProps) {
  const addresses = useAddresses();
  if (part.removed.length === 0) return null;
  const lines = part.removed.flatMap(({ proposedRedirect }) => proposedRedirect ?? []);
  const more = lines.length > 0 && (
    <>
      <p>
        These seem to have moved. In <code>_redirects</code> at the root of the site, such lines lead readers
        of old links on:
      </p>
      <pre class="compared-lines" tabindex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
  return (
    <PageList what="removed" count={removed.length} more={more}>
      {part.removed.map(({ path, title, redirectedTo, proposedRedirect }) => (
        <li key={path}>
          <Titled to={addresses.site(before) + addresses.page(path)} path={path} title={title} />
          {redirectedTo !== undefined && (
            <span class="compared-sides">
              leads to{' '}
              <a class="soft-link" href={addresses.site(after) + addresses.page(redirectedTo)}>
                {redirectedTo}
              </a>
            </span>
          )}
          {redirectedTo === undefined && proposedRedirect === undefined && (
            <span class="compared-sides">no redirect</span>
          )}
        </li>
      ))}
    </PageList>
  );
}

interface PageListProps {
  readonly what: 'changed' | 'added' | 'removed';
  readonly count: number;
  readonly more?: ComponentChildren;
  readonly children: ComponentChildren;
}

function PageList({ what, count, more, children }: PageListProps) {
  return (
    <section aria-labelledby={what}>
      <h2 id={what}>
        {counted(count, 'page')} {what}
      </h2>
      <ul class="plain-list compared-pages">{children}</ul>
      {more}
    </section>
  );
}

interface TitledProps {
  readonly to: string;
  readonly path: string;
  readonly title: string | undefined;
}

/** Link to a page by its title, with the path beside it; by its path where the title is not known. */
function Titled({ to, path, title = '' }: TitledProps) {
  if (title === '') return <a href={to}>{path}</a>;
  return (
    <span>
      <a href={to}>
        <bdi>{title}</bdi>
      </a>{' '}
      <span class="compared-path">{path}</span>
    </span>
  );
}
