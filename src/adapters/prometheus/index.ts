export { PrometheusMetrics, type Sources } from './prometheus-metrics.js';
