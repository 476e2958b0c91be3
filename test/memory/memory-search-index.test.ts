import { MemorySearchIndex } from '../../src/adapters/memory/index.js';
import { searchIndexContract } from '../contracts/search-index.js';

searchIndexContract('MemorySearchIndex', async () => new MemorySearchIndex());
