import { searchIndexContract } from '../contracts/search-index.js';
import { MemorySearchIndex } from '../support/memory-search-index.js';

searchIndexContract('MemorySearchIndex', async () => new MemorySearchIndex());
