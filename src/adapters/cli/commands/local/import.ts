import { visible } from '../../../../domain/index.js';
import type { ImportStep, Layout } from '../../client/index.js';
import { EXIT } from '../../exit-codes.js';
import { printSteps, type Terminal } from '../../terminal.js';

/** Names of the layouts, here so that the help does not load the client. */
export const LAYOUTS: readonly Layout[] = ['docat', 'directory'];

export function isLayout(name: string): name is Layout {
  return LAYOUTS.some((layout) => layout === name);
}

export interface ImportRequest {
  readonly layout: Layout;
  readonly path: string;
  readonly docs: string;
  readonly dryRun: boolean;
}

/**
 * Prints the outcome for every version and alias, with a progress bar on a terminal.
 * @returns 0, or 1 when something could not be imported, or there was nothing to import
 */
export async function reportImport(
  steps: AsyncIterable<ImportStep>,
  { layout, dryRun }: Pick<ImportRequest, 'layout' | 'dryRun'>,
  terminal: Terminal,
): Promise<number> {
  const counts = { taken: 0, 'already there': 0, note: 0, 'not taken': 0 };
  await printSteps(steps, terminal, 'imported', ({ name, outcome, why }) => {
    counts[outcome] += 1;
    const word = outcome === 'taken' && dryRun ? 'would be taken' : outcome;
    return [`${visible(name)}: ${word}${why === undefined ? '' : `: ${visible(why)}`}\n`];
  });
  const there = counts['already there'] === 0 ? '' : `, ${counts['already there']} already there`;
  const verb = dryRun ? 'would be taken' : 'taken';
  const isEmpty = counts.taken + counts['already there'] + counts['not taken'] === 0;
  const why = isEmpty ? `: there is no version in the layout ${layout}` : '';
  terminal.out.write(`${counts.taken} ${verb}${there}, ${counts['not taken']} not taken${why}\n`);
  return isEmpty || counts['not taken'] > 0 ? EXIT.refused : EXIT.done;
}
