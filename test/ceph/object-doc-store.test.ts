import { describe } from 'node:test';
import { objectDocStoreContract } from '../object-store/nodes-under-contract.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';

/** Each client goes through the other gateway. */
const makeCephBucket = async () => {
  const bucket = await makeBucket(await sharedCeph());
  return () => bucket.open({ prefix: 'docs/' });
};

describe('On a Ceph cluster', needsCeph, () => {
  objectDocStoreContract('ObjectDocStore, each node on another gateway,', makeCephBucket, 1_000);
});
