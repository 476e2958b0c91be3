export { type Counted, PrometheusMetrics } from './prometheus-metrics.js';
