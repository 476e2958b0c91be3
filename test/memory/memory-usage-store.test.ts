import { MemoryUsageStore } from '../../src/adapters/memory/index.js';
import { usageStoreContract } from '../contracts/usage-store.js';

usageStoreContract('MemoryUsageStore', async () => new MemoryUsageStore());
