export { PrometheusMetrics } from './prometheus-metrics.js';
export type { Sources } from './sources.js';
