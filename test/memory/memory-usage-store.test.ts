import { usageStoreContract } from '../contracts/usage-store.js';
import { MemoryUsageStore } from '../support/memory-usage-store.js';

usageStoreContract('MemoryUsageStore', async () => new MemoryUsageStore());
