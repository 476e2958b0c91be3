import type { ServeConfig } from '../adapters/cli/index.js';
import { hostTableOf } from '../adapters/http/hosts/project-hosts.js';
import type { HouseOptions } from '../application/index.js';
import type { Feature } from './feature.js';

/** Links of a version that lead nowhere (contract section 6). */
export const links = {
  http: async () => {
    const [http, { LinksPage }] = await Promise.all([
      import('../adapters/http/links.js'),
      import('../adapters/web/links.js'),
    ]);
    return (parts) => ({
      operations: [http.checkOperation(parts)],
      routes: [{ path: '/-/check/:project/:version', handle: http.linksPage(parts, LinksPage) }],
    });
  },
} satisfies Feature;

/** Returns the options that tell links between the sites of a server from other links. */
export function houseOf(
  { basePath, origin, hosts }: ServeConfig['place'],
  report: (message: string, fields: object) => void,
): HouseOptions {
  const host = origin === undefined ? undefined : new URL(origin).host;
  return {
    at: { basePath, host, domain: hosts?.domain },
    hostsOf: (seen) => hosts && hostTableOf(seen),
    report,
  };
}
