const s = performance.now();
const r = process.memoryUsage().rss;
const h = process.memoryUsage().heapUsed;
await import(process.argv[2]);
console.log(
  process.argv[2].padEnd(40),
  (performance.now() - s).toFixed(0).padStart(5),
  'ms rss+',
  ((process.memoryUsage().rss - r) / 1e6).toFixed(1),
  'heap+',
  ((process.memoryUsage().heapUsed - h) / 1e6).toFixed(1),
  'rss',
  (process.memoryUsage().rss / 1e6).toFixed(1),
);
