import { agentsOptions } from '../adapters/cli/index.js';
import type { Feature } from './feature.js';

/** Questions of coding agents (contract section 7). */
export const agents = {
  options: agentsOptions,
  http: async () => {
    const [{ mcpRoutes }, { readingTools }] = await Promise.all([
      import('../adapters/http/agents/mcp-route.js'),
      import('../adapters/http/agents/tools.js'),
    ]);
    return (parts) => {
      if (!parts.mcp) return {};
      // Found with the first request: this feature is one of them. Each makes its routes anew when it is asked.
      let all: ReturnType<typeof readingTools> | undefined;
      const tools = () => {
        all ??= Object.fromEntries(
          parts.features.flatMap((feature) => Object.entries(feature(parts).tools ?? {})),
        );
        return all;
      };
      return { routes: mcpRoutes(parts, tools), tools: readingTools(parts.useCases) };
    };
  },
} satisfies Feature;
