/** Waits until the clock shows another millisecond. */
export async function tick(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise(setImmediate);
}
