import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MemoryTokenRegistry } from '../../src/adapters/memory/index.js';
import { holderOf, tokenRegistryContract } from '../contracts/token-registry.js';

tokenRegistryContract('MemoryTokenRegistry', (tokens) => new MemoryTokenRegistry(tokens));

it('counts a MemoryTokenRegistry without tokens as not configured', async () => {
  assert.equal(new MemoryTokenRegistry().isConfigured, false);
  assert.equal(await holderOf(new MemoryTokenRegistry(), ''), undefined);
});
