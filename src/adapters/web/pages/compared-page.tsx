import type { ComparedBlock, PageModels, TextPart } from '../../../application/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { counted } from '../components/quantities.js';

/** Unchanged blocks that are shown around a change. */
const CONTEXT = 2;
/** Max. blocks that are shown. */
const MAX_SHOWN = 1_000;

/** `/-/compare/<project>/<version>/<version>/<page>`: inserted and removed words, marked. */
export function ComparedPagePage({ compared, isSideBySide }: PageModels['comparedPage']) {
  const addresses = useAddresses();
  const { project, before, after, paths, blocks, isCut } = compared;
  const comparison = addresses.comparison(project, before, after);
  const here = `${comparison}/${addresses.page(paths.after)}`;
  const rows = withoutUnchanged(blocks);
  return (
    <Layout
      title={`${paths.after}: ${before.label} and ${after.label}`}
      styles={[addresses.style('compare')]}
    >
      <p class="status">
        <a class="soft-link" href={comparison}>
          <bdi>{project.title}</bdi>, {before.label} to {after.label}
        </a>
      </p>
      <h1>{paths.after}</h1>
      <p class="count">
        <a href={addresses.site(before) + addresses.page(paths.before)}>In {before.label}</a> ·{' '}
        <a href={addresses.site(after) + addresses.page(paths.after)}>In {after.label}</a> ·{' '}
        <a href={isSideBySide ? here : `${here}?view=side`}>{isSideBySide ? 'Inline' : 'Side by side'}</a>
      </p>
      {isCut && <p>The page is too long, or too different, to compare all of its words.</p>}
      {rows.length === 0 ? (
        <p>Its main content says the same in both.</p>
      ) : (
        <div class={isSideBySide ? 'compared compared-sides-by' : 'compared'}>
          {rows.slice(0, MAX_SHOWN).map((row, index) =>
            typeof row === 'number' ? (
              <p class="compared-gap" key={index}>
                {counted(row, 'unchanged paragraph')}
              </p>
            ) : isSideBySide ? (
              <SideBySide block={row} before={before.label} after={after.label} key={index} />
            ) : (
              <Block isHeading={row.isHeading} parts={row.parts} key={index} />
            ),
          )}
        </div>
      )}
      {rows.length > MAX_SHOWN && <p>There are more changes than are shown here.</p>}
    </Layout>
  );
}

/** The blocks that changed and those around them; the others as their number. */
function withoutUnchanged(blocks: readonly ComparedBlock[]): readonly (ComparedBlock | number)[] {
  const near = new Set<number>();
  for (const [index, { parts }] of blocks.entries()) {
    if (parts.every(({ kind }) => kind === 'same')) continue;
    for (let each = index - CONTEXT; each <= index + CONTEXT; each++) near.add(each);
  }
  if (near.size === 0) return [];
  const rows: (ComparedBlock | number)[] = [];
  for (const [index, block] of blocks.entries()) {
    const last = rows.at(-1);
    if (near.has(index)) rows.push(block);
    else if (typeof last === 'number') rows[rows.length - 1] = last + 1;
    else rows.push(1);
  }
  return rows;
}

function SideBySide({
  block: { isHeading, parts },
  before,
  after,
}: {
  readonly block: ComparedBlock;
  readonly before: string;
  readonly after: string;
}) {
  const side = (lacks: TextPart['kind']) => parts.filter(({ kind }) => kind !== lacks);
  const isSame = parts.every(({ kind }) => kind === 'same');
  return (
    <div class={isSame ? 'compared-row compared-same' : 'compared-row'}>
      <div class="compared-side" data-version={before}>
        <Block isHeading={isHeading} parts={side('added')} />
      </div>
      <div class="compared-side" data-version={after}>
        <Block isHeading={isHeading} parts={side('removed')} />
      </div>
    </div>
  );
}

/** A heading is a paragraph here: those of the compared page are none of this page. */
function Block({ isHeading, parts }: ComparedBlock) {
  if (parts.length === 0) return null;
  return (
    <p class={isHeading ? 'compared-heading' : undefined}>
      <bdi>
        {parts.map(({ kind, text }, index) =>
          kind === 'added' ? (
            <ins key={index}>{text}</ins>
          ) : kind === 'removed' ? (
            <del key={index}>{text}</del>
          ) : (
            text
          ),
        )}
      </bdi>
    </p>
  );
}
