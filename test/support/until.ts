import assert from 'node:assert/strict';

/** Waits for a state that announces itself by no event; fails after half a minute, which is long on a busy machine too. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const start = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - start;
    if (waited > 30_000) assert.fail('the condition did not come about');
    // Looks less often at what takes longer.
    await new Promise((resolve) => setTimeout(resolve, 10 + waited / 10));
  }
}
