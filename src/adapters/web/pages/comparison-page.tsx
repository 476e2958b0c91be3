import type { PageModels, RemovedPage, VersionComparison } from '../../../application/index.js';
import {
  type CommonPage,
  counted,
  nameInProject,
  type Project,
  type Version,
} from '../../../domain/index.js';
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
      styles={[addresses.style('compare')]}
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
      <Changed comparison={comparison} pages={part.changed} titles={part.titles} />
      <Added after={after} pages={part.added} titles={part.titles} count={added.length} />
      <Removed comparison={comparison} pages={part.removed} />
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

function VersionChoice({
  name,
  title,
  project,
  chosen,
}: {
  readonly name: string;
  readonly title: string;
  readonly project: Project;
  readonly chosen: Version;
}) {
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

function Changed({
  comparison: { project, before, after, changed },
  pages,
  titles,
}: {
  readonly comparison: VersionComparison;
  readonly pages: readonly CommonPage[];
  readonly titles: ReadonlyMap<string, string>;
}) {
  const addresses = useAddresses();
  const comparison = addresses.comparison(project, before, after);
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="changed">
      <h2 id="changed">{counted(changed.length, 'page')} changed</h2>
      <ul class="plain-list compared-pages">
        {pages.map((page) => (
          <li key={page.after}>
            <Titled
              to={`${comparison}/${addresses.page(page.after)}`}
              path={page.after}
              title={titles.get(page.after)}
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
      </ul>
    </section>
  );
}

function Added({
  after,
  pages,
  titles,
  count,
}: {
  readonly after: Version;
  readonly pages: readonly string[];
  readonly titles: ReadonlyMap<string, string>;
  readonly count: number;
}) {
  const addresses = useAddresses();
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby="added">
      <h2 id="added">{counted(count, 'page')} added</h2>
      <ul class="plain-list compared-pages">
        {pages.map((path) => (
          <li key={path}>
            <Titled to={addresses.site(after) + addresses.page(path)} path={path} title={titles.get(path)} />
          </li>
        ))}
      </ul>
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

function Removed({
  comparison: { before, after, removed },
  pages,
}: {
  readonly comparison: VersionComparison;
  readonly pages: readonly RemovedPage[];
}) {
  const addresses = useAddresses();
  if (pages.length === 0) return null;
  const lines = pages.flatMap(({ proposedRedirect }) => proposedRedirect ?? []);
  return (
    <section aria-labelledby="removed">
      <h2 id="removed">{counted(removed.length, 'page')} removed</h2>
      <ul class="plain-list compared-pages">
        {pages.map(({ path, title, redirectedTo, proposedRedirect }) => (
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
      </ul>
      {lines.length > 0 && (
        <>
          <p>
            These seem to have moved. In <code>_redirects</code> at the root of the site, such lines lead
            readers of old links on:
          </p>
          <pre class="compared-lines" tabindex={0}>
            <code>{lines.join('\n')}</code>
          </pre>
        </>
      )}
    </section>
  );
}
