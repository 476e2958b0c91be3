/** Cleanup functions, called when this process ends, however it ends: the last added first. */
const undo: (() => void)[] = [];

export function atExit(work: () => void): void {
  undo.push(work);
}

process.on('exit', () => {
  for (const work of undo.reverse()) {
    try {
      work();
    } catch (error) {
      console.error(error);
    }
  }
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
