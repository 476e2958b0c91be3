import { agentsOptions } from '../adapters/cli/index.js';
import type { Feature } from './feature.js';

/** Questions of coding agents (contract section 7). */
export const agents = {
  options: agentsOptions,
  http: async () => {
    const [{ mcpRoute }, { readingTools }] = await Promise.all([
      import('../adapters/http/agents/mcp-route.js'),
      import('../adapters/http/agents/tools.js'),
    ]);
    return (parts) => {
      if (!parts.mcp) return {};
      const tools = () => Object.assign({}, ...parts.features.map((feature) => feature(parts).tools));
      return { routes: [mcpRoute(parts, tools)], tools: readingTools(parts.useCases) };
    };
  },
} satisfies Feature;
