import type { ServeConfig } from '../adapters/cli/index.js';
import type { PrometheusMetrics, Sources } from '../adapters/prometheus/index.js';
import type { Opened } from './container.js';

/**
 * Opens the metrics of a server. The Prometheus adapter is loaded only here, for a server that has metrics.
 * @param opened waits until everything is open; a scrape before that waits, too
 */
export async function metricsOf(
  { storage, search }: Pick<ServeConfig, 'storage' | 'search'>,
  opened: () => Promise<Opened>,
  sources: Pick<Sources, 'version' | 'status' | 'tokens' | 'housekeeping'>,
): Promise<PrometheusMetrics> {
  const { PrometheusMetrics } = await import('../adapters/prometheus/index.js');
  return new PrometheusMetrics({
    ...sources,
    stored: async () => {
      const { projects } = (await opened()).storage.docs.catalogue();
      return {
        projects: projects.length,
        versions: projects.reduce((sum, { versions }) => sum + versions.length, 0),
      };
    },
    freeBytes: async () => (await opened()).storage.disk.freeBytes(),
    store: 'store' in storage ? async () => (await opened()).storage.objects?.status() : undefined,
    search: search === 'off' ? undefined : async () => (await opened()).search?.keeper.status(),
  });
}
