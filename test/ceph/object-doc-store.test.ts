import { describe } from 'node:test';
import { objectDocStoreContract } from '../object-store/nodes-under-contract.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';

let bucket: ReturnType<typeof makeBucket> | undefined;
let prefixes = 0;
/**
 * A prefix of its own in the bucket of all tests: to make a bucket takes longer than most of them. Each client goes through the
 * other gateway.
 */
const makeCephBucket = async () => {
  bucket ??= sharedCeph().then((ceph) => makeBucket(ceph));
  const { open } = await bucket;
  prefixes += 1;
  const prefix = `docs-${prefixes}/`;
  return () => open({ prefix });
};

describe('On a Ceph cluster', needsCeph, () => {
  objectDocStoreContract('ObjectDocStore, each node on another gateway,', makeCephBucket, 1_000);
});
