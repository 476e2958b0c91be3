import type { ComponentChildren } from 'preact';
import type { ComparisonModel, VersionComparison, WordCounts } from '../../../application/index.js';
import { counted, nameInProject, type Project, type Version } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';

/** `/-/compare/<project>/<version>/<version>`: pages added, removed and changed, with links to both sides. */
export function ComparisonPage({ comparison, part, words, offset }: ComparisonModel) {
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
      project={project}
    >
      <p class="small">
        <a class="quiet-link" href={addresses.project(project)}>
          <bdi>{project.title}</bdi>
        </a>
      </p>
      <h1>
        Changes from {nameInProject(before)} to {nameInProject(after)}
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
          beside: <ChangedWords of={words.get(page.after)} />,
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
              <span class="tally">
                leads to <a href={pageIn(after, redirectedTo)}>{redirectedTo}</a>
              </span>
            ) : (
              proposedRedirect === undefined && <span class="tally">no redirect</span>
            ),
        }))}
      >
        <ProposedLines of={part.removed} />
      </PageList>
      {part.more && (
        <p class="buttons">
          <a class="button" href={`${here}?offset=${offset + shown}`}>
            More pages
          </a>
        </p>
      )}
      <p class="count apart">
        The text of the main content is compared, not other files and not the look of a page.
      </p>
    </Layout>
  );
}

/** A choice of two versions, which works without scripts. */
function VersionForm({ project, before, after }: Pick<VersionComparison, 'project' | 'before' | 'after'>) {
  const addresses = useAddresses();
  return (
    <form class="compare-form line above-4" action={addresses.compare(project)}>
      <VersionChoice name="before" title="From" project={project} chosen={before} />
      <VersionChoice name="after" title="To" project={project} chosen={after} />
      <button class="button button-primary" type="submit">
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
    <label class="compare-choice stack small">
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

/** Rows that lead to pages, with the title over the path; the path alone where the title is not known. */
function PageList({ what, count, pages, children }: PageListProps) {
  if (pages.length === 0) return null;
  return (
    <section aria-labelledby={what}>
      <h2 id={what}>
        {counted(count, 'page')} {what}
      </h2>
      <ul class="plain-list compared-pages">
        {pages.map(({ path, title = '', to, beside }) => (
          <li class="row line ends" key={path}>
            <div>
              <a class="quiet-link row-link" href={to}>
                <bdi>{title || path}</bdi>
              </a>{' '}
              {title !== '' && <div class="small">{path}</div>}
            </div>{' '}
            {beside}
          </li>
        ))}
      </ul>
      {children}
    </section>
  );
}

/** Counts of added and removed words. Nothing where they are not known. */
export function ChangedWords({ of }: { readonly of: WordCounts | undefined }) {
  const { added, removed } = of ?? { added: 0, removed: 0 };
  if (added + removed === 0) return null;
  return (
    <span class="compared-words line tally">
      {added > 0 && (
        <span class="words-added">
          +{added.toLocaleString('en')}
          <span class="visually-hidden"> added</span>
        </span>
      )}{' '}
      {removed > 0 && (
        <span class="words-removed">
          −{removed.toLocaleString('en')}
          <span class="visually-hidden"> removed</span>
        </span>
      )}{' '}
      <span class="tally">words</span>
    </span>
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
      <pre class="above-3" tabindex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
}
