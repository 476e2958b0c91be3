const mb = () => process.memoryUsage().rss / 1e6;
for (const m of process.argv.slice(2)) {
  const s = performance.now(),
    r = mb();
  await import(m);
  console.log(
    m.padEnd(44),
    (performance.now() - s).toFixed(0).padStart(5),
    'ms +',
    (mb() - r).toFixed(1),
    mb().toFixed(1),
  );
}
