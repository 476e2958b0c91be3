import { optionTable } from '../options/option-reader.js';
import type { FeatureOptions } from '../options/serve-options.js';

/** The option of `lectern serve` by which coding agents cannot ask. */
export const agentsOptions = {
  table: optionTable({
    'no-mcp': ['', 'Turn off /-/mcp, where coding agents ask by the Model Context Protocol'],
  }),
  read: (read) => ({ mcp: !read.flag('no-mcp') }),
} satisfies FeatureOptions<'no-mcp'>;
