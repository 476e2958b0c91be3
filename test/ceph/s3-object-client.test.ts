import { objectClientContract } from '../contracts/object-client.js';
import { makeBucket } from '../support/ceph/bucket.js';
import { needsCeph, sharedCeph } from '../support/ceph/ceph.js';

let bucket: ReturnType<typeof makeBucket> | undefined;
objectClientContract(
  'S3ObjectClient, on Ceph through two gateways',
  async (prefix, onRequest) => {
    bucket ??= sharedCeph().then((ceph) => makeBucket(ceph));
    return (await bucket).open({ prefix, pageSize: 25, ...(onRequest && { onRequest }) });
  },
  needsCeph,
);
