import { describe, it } from 'node:test';
import { killRounds } from './kill-rounds.js';

describe('A server that is killed at any instant', () => {
  it('leaves every version wholly old or wholly new, and starts again with everything in order', async (t) => {
    const figures = await killRounds(({ rounds }) => rounds < 4);
    t.diagnostic(JSON.stringify(figures));
  });
});
