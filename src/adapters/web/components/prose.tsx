import type { Block } from '../help/block.js';
import { Fold } from './fold.js';
import { Copyable } from './search/snippet.js';

/** Structured text as HTML; `helpText` renders the same blocks for terminals. */
export function Prose({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <ProseBlock key={index} block={block} />
      ))}
    </>
  );
}

function ProseBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p>
          <Inline text={block.text} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((item) => (
            <li key={item}>
              <Inline text={item} />
            </li>
          ))}
        </ul>
      );
    case 'code':
      return <Copyable title={block.title}>{block.lines.join('\n')}</Copyable>;
    case 'table':
      return <Table {...block} />;
    case 'fold':
      return (
        <Fold title={block.title}>
          <Prose blocks={block.blocks} />
        </Fold>
      );
  }
}

function Table({ caption, head, rows }: Extract<Block, { kind: 'table' }>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be one more heading to find
    <div class="table-frame" role="region" aria-label={caption} tabindex={0}>
      <table>
        <caption class="small">{caption}</caption>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell, column) => (
                <td key={head[column]}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text in which backticks mark code. */
export function Inline({ text }: { readonly text: string }) {
  return (
    <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  );
}
