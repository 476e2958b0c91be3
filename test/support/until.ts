import assert from 'node:assert/strict';

/** Waits for a state that announces itself by no event; fails after half a minute, which is long on a busy machine too. */
export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > end) assert.fail('the condition did not come about');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
