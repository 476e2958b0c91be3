import type { ComponentChildren } from 'preact';
import type { ComparisonModel, VersionComparison } from '../../../application/index.js';
import { counted, nameInProject, type Project, type Version } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';

/** `/-/compare/<project>/<version>/<version>`: pages added, removed and changed, with links to both sides. */
export function ComparisonPage({ comparison, part, offset }: ComparisonModel) {
  const addresses = useAddresses();
  const { project, before, after, added, removed, changed, unchanged, isCut } = comparison;
  const here = addresses.comparison(project, before, after);
  const pageIn = (version: Version, path: string) => addresses.site(version) + addresses.page(path);
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
      <PageList
        what="changed"
        count={changed.length}
        pages={part.changed.map((page) => ({
          path: page.after,
          title: part.titles.get(page.after),
          to: `${here}/${addresses.page(page.after)}`,
          beside: (
            <span class="compared-sides">
              <a class="soft-link" href={pageIn(before, page.before)}>
                {before.label}
              </a>
              <a class="soft-link" href={pageIn(after, page.after)}>
                {after.label}
              </a>
            </span>
          ),
        }))}
      />
      <PageList
        what="added"
        count={added.length}
        pages={part.added.map((path) => ({ path, title: part.titles.get(path), to: pageIn(after, path) }))}
      />
      <PageList
        what="removed"
        count={removed.length}
        pages={part.removed.map(({ path, title, redirectedTo, proposedRedirect }) => ({
          path,
          title,
          to: pageIn(before, path),
          beside:
            redirectedTo !== undefined ? (
              <span class="compared-sides">
                leads to{' '}
                <a class="soft-link" href={pageIn(after, redirectedTo)}>
                  {redirectedTo}
                </a>
              </span>
            ) : (
              proposedRedirect === undefined && <span class="compared-sides">no redirect</span>
            ),
        }))}
      >
        <ProposedLines of={part.removed} />
      </PageList>
      {part.more && (
        <p class="buttons">
          <a class="button button-quiet" href={`${here}?offset=${offset + shown}`}>
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

interface Listed {
  readonly path: string;
  readonly title: string | undefined;
  readonly to: string;
  /** Text beside the link. */
  readonly beside?: ComponentChildren;
}

interface PageListProps {
  readonly what: 'changed' | 'added' | 'removed';
  readonly count: number;
  readonly pages: readonly Listed[];
  readonly children?: ComponentChildren;
}

/** Links to pages by their titles, with the paths beside them; by the path where the title is not known. */
function PageList({ what, count, pages, children }: PageListProps) {
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby={what}>
      <h2 id={what}>
        {counted(count, 'page')} {what}
      </h2>
      <ul class="plain-list compared-pages">
        {pages.map(({ path, title = '', to, beside }) => (
          <li key={path}>
            {title === '' ? (
              <a href={to}>{path}</a>
            ) : (
              <span>
                <a href={to}>
                  <bdi>{title}</bdi>
                </a>{' '}
                <span class="compared-path">{path}</span>
              </span>
            )}
            {beside}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

/** Lines that lead readers of removed pages on. */
function ProposedLines({ of: pages }: { readonly of: ComparisonModel['part']['removed'] }) {
  const lines = pages.flatMap(({ proposedRedirect }) => proposedRedirect ?? []);
  if (lines.length === 0) return null;
  return (
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
}
