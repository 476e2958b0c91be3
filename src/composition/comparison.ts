import type { Feature } from './feature.js';

/** Comparison of two versions (contract section 6). */
export const comparison = {
  http: async () => {
    const [http, { ComparedPagePage }, { ComparisonPage }] = await Promise.all([
      import('../adapters/http/comparison.js'),
      import('../adapters/web/comparison/compared-page.js'),
      import('../adapters/web/comparison/comparison-page.js'),
    ]);
    const path = '/-/compare/:project/:before/:after';
    return (parts) => ({
      operations: [http.compareOperation(parts)],
      routes: [
        { path: '/-/compare/:project', handle: http.chosenComparison(parts) },
        { path, handle: http.comparisonPage(parts, ComparisonPage) },
        { path: `${path}/{*page}`, handle: http.comparedPage(parts, ComparedPagePage) },
      ],
      tools: http.comparisonTool(parts.useCases.compareVersions),
    });
  },
} satisfies Feature;
