import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { objectDocStoreContract } from './nodes-under-contract.js';

const makeBucket = async () => {
  const bucket: MemoryBucket = new Map();
  return async () => new MemoryObjectClient(bucket, 'docs/');
};

objectDocStoreContract('ObjectDocStore on a bucket in memory', makeBucket, 100);
