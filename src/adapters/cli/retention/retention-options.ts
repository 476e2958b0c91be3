import { optionTable } from '../options/option-reader.js';
import type { FeatureOptions } from '../options/serve-options.js';

/** The option of `lectern serve` by which it removes versions by rules. */
export const retentionOptions = {
  table: optionTable({
    retention: [
      '<file>',
      'JSON file with rules by which versions are removed, for projects without rules of their own; without it all are kept',
    ],
  }),
  read: (read) => ({ retention: read.text('retention') }),
} satisfies FeatureOptions<'retention'>;
