import assert from 'node:assert/strict';

/**
 * Waits for a state that announces itself by no event; fails after a minute and a half: what is done at low priority, as
 * indexing is, gets little of a machine that runs all tests.
 */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const start = Date.now();
  while (!(await condition())) {
    const waited = Date.now() - start;
    if (waited > 90_000) assert.fail('the condition did not come about');
    // Looks less often at what takes longer.
    await new Promise((resolve) => setTimeout(resolve, 10 + waited / 10));
  }
}
