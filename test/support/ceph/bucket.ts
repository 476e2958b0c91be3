import { randomUUID } from 'node:crypto';
import {
  S3ObjectClient,
  type S3Options,
} from '../../../src/adapters/object-store/client/s3-object-client.js';
import { loadSdk } from '../../../src/adapters/object-store/client/sdk.js';
import type { Ceph } from './ceph.js';

/** A fresh bucket of a cluster. */
export interface Bucket {
  readonly name: string;
  /** Opens a client, each time through the other gateway, unless the options name one. */
  readonly open: (options?: Partial<S3Options>) => Promise<S3ObjectClient>;
}

/** Makes a bucket of a test's own. It goes with the cluster. */
export async function makeBucket(ceph: Ceph, { versioned = false } = {}): Promise<Bucket> {
  const name = `test-${randomUUID()}`;
  const credentials = { accessKeyId: ceph.accessKey, secretAccessKey: ceph.secretKey };
  const { commands, client } = await loadSdk({ endpoint: ceph.endpoints[0], credentials });
  await client.send(new commands.CreateBucketCommand({ Bucket: name }));
  if (versioned) {
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await client.send(new commands.PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
  }
  client.destroy();
  let opened = 0;
  return {
    name,
    open: (options = {}) => {
      opened += 1;
      const gateway = ceph.endpoints[opened % 2]!;
      return S3ObjectClient.open({ bucket: name, prefix: '', endpoint: gateway, credentials, ...options });
    },
  };
}
