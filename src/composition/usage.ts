import { usageOptions } from '../adapters/cli/index.js';
import { DAY_MS } from '../domain/index.js';
import type { Feature } from './feature.js';

/** Counts of reads (contract section 11). */
export const usage = {
  options: usageOptions,
  http: async () => {
    const [http, { UsagePage }] = await Promise.all([
      import('../adapters/http/usage.js'),
      import('../adapters/web/usage/usage-page.js'),
    ]);
    return (parts) => {
      const { showUsage, showSearches } = parts.useCases;
      if (showUsage === undefined) return {};
      const handle = http.usagePage(parts, showUsage, UsagePage);
      return {
        operations: [
          http.usageOperation(parts, showUsage),
          ...(showSearches === undefined ? [] : [http.searchesOperation(showSearches)]),
        ],
        routes: [{ path: '/-/projects/:project/usage', handle }],
      };
    };
  },
  chores: ({ useCases: { countReads } }) => {
    if (countReads === undefined) return [];
    const run = async (now: Date) => {
      await countReads.removeOld(now);
      return undefined;
    };
    return [{ name: 'removing old counts of reads', everyMs: DAY_MS, run }];
  },
} satisfies Feature;
