import { optionTable } from '../options/option-reader.js';
import type { FeatureOptions } from '../options/serve-options.js';

/** The option of `lectern serve` that turns off questions of coding agents. */
export const agentsOptions = {
  table: optionTable({
    'no-mcp': ['', 'Turn off /-/mcp, the Model Context Protocol endpoint for coding agents'],
  }),
  read: (read) => ({ mcp: !read.flag('no-mcp') }),
} satisfies FeatureOptions<'no-mcp'>;
