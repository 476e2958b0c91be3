import { describe, it } from 'node:test';
import { killRounds } from './kill-rounds.js';

describe('A server that is killed at any instant', () => {
  it('leaves every version either old or new, and starts again with a clean store', async (t) => {
    const figures = await killRounds(({ rounds }) => rounds < 4);
    t.diagnostic(JSON.stringify(figures));
  });
});
