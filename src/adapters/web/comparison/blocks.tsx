import type { ComparedBlock, TextPart } from '../../../application/index.js';

export function isUnchanged(parts: readonly TextPart[]): boolean {
  return parts.every(({ kind }) => kind === 'same');
}

interface BlocksProps {
  readonly blocks: readonly ComparedBlock[];
  /** Whether the blocks stand by themselves: `compare-steps.js` finds the changed ones, and code scrolls. @default true */
  readonly standAlone?: boolean;
}

/** Blocks of text, with lines of code that follow one another as one piece. */
export function Blocks({ blocks, standAlone = true }: BlocksProps) {
  const classOf = ({ parts }: ComparedBlock, name: string) =>
    `${name}${standAlone && !isUnchanged(parts) ? ' is-changed' : ''}`.trim() || undefined;
  return (
    <>
      {codeTogether(blocks).map((run, index) =>
        run[0]?.isCode ? (
          <pre class="compared-code" tabindex={standAlone ? 0 : undefined} key={index}>
            {run.map((line, at) => (
              <span class={classOf(line, 'compared-line')} key={at}>
                <Words parts={line.parts} />
                {'\n'}
              </span>
            ))}
          </pre>
        ) : (
          run.map((block) => (
            // A heading of the compared page is none of this page.
            <p class={classOf(block, block.isHeading ? 'compared-heading' : '')} key={index}>
              <Words parts={block.parts} />
            </p>
          ))
        ),
      )}
    </>
  );
}

/** The blocks in runs: lines of code that follow one another are together, every other block is by itself. */
function codeTogether(blocks: readonly ComparedBlock[]): readonly (readonly ComparedBlock[])[] {
  const runs: ComparedBlock[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (block.isCode && last?.[0]?.isCode) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

function Words({ parts }: Pick<ComparedBlock, 'parts'>) {
  return (
    <bdi>
      {parts.map(({ kind, text }, index) =>
        kind === 'added' ? (
          <ins class="good" key={index}>
            {text}
          </ins>
        ) : kind === 'removed' ? (
          <del class="wrong" key={index}>
            {text}
          </del>
        ) : (
          text
        ),
      )}
    </bdi>
  );
}
