import { type ComparedBlock, type ComparedPageModel, changedWords } from '../../../application/index.js';
import { counted } from '../../../domain/index.js';
import { Layout } from '../components/layout.js';
import { useAddresses } from '../components/page-context.js';
import { asset } from '../public-files.js';
import { BesidePage } from './beside-page.js';
import { Blocks, isUnchanged } from './blocks.js';
import { ChangedWords } from './comparison-page.js';

/** Unchanged blocks that are shown around a change. */
const MAX_CONTEXT = 2;
/** Max. blocks that are shown. */
const MAX_SHOWN = 1_000;

/** `/-/compare/<project>/<version>/<version>/<page>`: inserted and removed words, marked. */
export function ComparedPagePage({ compared, isBesidePage }: ComparedPageModel) {
  const addresses = useAddresses();
  const { project, before, after, paths, blocks, isCut, title } = compared;
  const name = title === '' ? paths.after : title;
  const comparison = addresses.comparison(project, before, after);
  const here = `${comparison}/${addresses.page(paths.after)}`;
  const rows = withoutUnchanged(blocks);
  const changed = blocks.filter(({ parts }) => !isUnchanged(parts));
  return (
    <Layout
      title={`${name}: ${before.label} and ${after.label}`}
      styles={['compare']}
      scripts={{ modules: [asset('compare-steps')] }}
      project={project}
    >
      <p class="small">
        <a class="quiet-link" href={comparison}>
          <bdi>{project.title}</bdi>, {before.label} to {after.label}
        </a>
      </p>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <p class="count line">
        {name !== paths.after && <span>{paths.after}</span>}
        {!isCut && <ChangedWords of={changedWords(blocks)} />}
        <a class="quiet-link" href={addresses.site(before) + addresses.page(paths.before)}>
          Open {before.label}
        </a>
        <a class="quiet-link" href={addresses.site(after) + addresses.page(paths.after)}>
          Open {after.label}
        </a>
      </p>
      {rows.length > 0 && (
        <nav class="orders above-3" aria-label="View">
          <ul class="plain-list line">
            <li>
              <a class="quiet order" href={here} aria-current={isBesidePage ? undefined : 'page'}>
                Text
              </a>
            </li>
            <li>
              <a
                class="quiet order"
                href={`${here}?view=page`}
                aria-current={isBesidePage ? 'page' : undefined}
              >
                On the page
              </a>
            </li>
          </ul>
        </nav>
      )}
      {isCut && <p>The page is too long, or has changed too much, to compare every word.</p>}
      {rows.length === 0 ? (
        <p>The text of the main content is the same in both versions.</p>
      ) : isBesidePage ? (
        <BesidePage compared={compared} name={name} max={MAX_SHOWN} />
      ) : (
        <div class="compared apart">
          {betweenGaps(rows.slice(0, MAX_SHOWN)).map((row, index) =>
            'hidden' in row ? (
              <p class="compared-gap small" key={index}>
                {counted(row.hidden, row.isCode ? 'unchanged line' : 'unchanged paragraph')}
              </p>
            ) : (
              <Blocks blocks={row.blocks} key={index} />
            ),
          )}
        </div>
      )}
      {(isBesidePage ? changed : rows).length > MAX_SHOWN && (
        <p>Not all changes are shown: there are too many.</p>
      )}
    </Layout>
  );
}

/** Unchanged blocks that are not shown: lines of code, or paragraphs among others. */
interface Gap {
  readonly hidden: number;
  readonly isCode: boolean;
}

type Row = ComparedBlock | Gap;

/** The blocks that changed and those around them, with gaps for the others. */
function withoutUnchanged(blocks: readonly ComparedBlock[]): readonly Row[] {
  const near = new Set<number>();
  for (const [index, { parts }] of blocks.entries()) {
    if (isUnchanged(parts)) continue;
    for (let each = index - MAX_CONTEXT; each <= index + MAX_CONTEXT; each++) near.add(each);
  }
  if (near.size === 0) return [];
  const rows: Row[] = [];
  for (const [index, block] of blocks.entries()) {
    const last = rows.at(-1);
    if (near.has(index)) rows.push(block);
    else if (last !== undefined && 'hidden' in last) rows[rows.length - 1] = gapOf(block, last);
    else rows.push(gapOf(block));
  }
  return rows;
}

function gapOf({ isCode = false }: ComparedBlock, before: Gap = { hidden: 0, isCode: true }): Gap {
  return { hidden: before.hidden + 1, isCode: before.isCode && isCode };
}

/** Rows with the blocks between two gaps together. */
function betweenGaps(rows: readonly Row[]): readonly (Gap | { readonly blocks: ComparedBlock[] })[] {
  const groups: (Gap | { readonly blocks: ComparedBlock[] })[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if ('hidden' in row) groups.push(row);
    else if (last !== undefined && 'blocks' in last) last.blocks.push(row);
    else groups.push({ blocks: [row] });
  }
  return groups;
}
