import type { Block, HelpFacts } from './block.js';
import { HELP_LEAD, helpSections } from './help-content.js';

const MAX_WIDTH = 79;

/** Returns the help as text for a terminal. */
export function helpText(facts: HelpFacts): string {
  const chapters = helpSections(facts).map(({ title, blocks }) =>
    [title.toUpperCase(), ...blocks.map(render)].join('\n\n'),
  );
  return `${[wrap(HELP_LEAD, '', ''), ...chapters].join('\n\n\n')}\n`;
}

function render(block: Block): string {
  switch (block.kind) {
    case 'text':
      return wrap(block.text, '', '');
    case 'list':
      return block.items.map((item) => wrap(item, '- ', '  ')).join('\n');
    case 'code':
      return block.lines.map((line) => `    ${line}`).join('\n');
    case 'table':
      return columns([block.head, ...block.rows]);
  }
}

function wrap(text: string, first: string, indent: string): string {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > MAX_WIDTH) {
      lines.push(line);
      line = indent;
      empty = true;
    }
    line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}

/** Formats a table as aligned columns. Cells that are all code lose their backticks. */
function columns(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map((cell) => cell.replaceAll(/^`([^`]*)`$/g, '$1')));
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  return cells
    .map((row) => `    ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}
