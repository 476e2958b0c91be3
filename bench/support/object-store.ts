import type { S3ObjectClient } from '../../src/adapters/object-store/client/s3-object-client.js';
import { keys } from '../../src/adapters/object-store/keys.js';
import { commitOf, type RevisionRecord } from '../../src/adapters/object-store/log/commit.js';
import { CommitLog } from '../../src/adapters/object-store/log/commit-log.js';
import { Snapshots } from '../../src/adapters/object-store/log/snapshots.js';
import { StoreState } from '../../src/adapters/object-store/log/store-state.js';
import { makeBucket } from '../../test/support/ceph/bucket.js';
import { startCeph } from '../../test/support/ceph/ceph.js';
import type { Store } from './lectern.js';
import { projectName } from './library.js';

/** A Ceph cluster with all data in memory, twice, and two gateways. */
export interface Cluster {
  /** Makes an empty store. `gateway` decides through which gateway a node reaches it. */
  makeStore(): Promise<{ through(gateway: number): Store; open(): Promise<S3ObjectClient> }>;
}

export async function startCluster(): Promise<Cluster> {
  const ceph = await startCeph();
  return {
    makeStore: async () => {
      const bucket = await makeBucket(ceph);
      const { accessKey, secretKey, endpoints } = ceph;
      return {
        through: (gateway) => ({
          ...{ address: `s3://${bucket.name}/docs`, endpoint: endpoints[gateway % 2] ?? '' },
          ...{ accessKey, secretKey },
        }),
        open: () => bucket.open({ prefix: 'docs/', endpoint: endpoints[0] }),
      };
    },
  };
}

const PUBLISHED = Date.UTC(2026, 0, 1);

/** Writes a snapshot of many published versions, and commits of more after it, without any uploads. */
export async function writeVersions(
  client: S3ObjectClient,
  { snapshot, commits }: { readonly snapshot: number; readonly commits: number },
): Promise<void> {
  const records = Array.from({ length: snapshot + commits }, (_, number) => recordOf(number));
  await new Snapshots(client).write(
    StoreState.of(snapshot, nonceOf(snapshot), records.slice(0, snapshot), []),
  );
  const log = new CommitLog(client);
  // The last commit of the snapshot as well: a node looks whether it is still the one that it knows.
  const first = Math.max(snapshot, 1);
  const left = records.slice(first - 1).map((record, index) => ({ record, number: first + index }));
  const write = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { record, number } = next;
      const change = { kind: 'publish', record } as const;
      await log.create(number, commitOf(nonceOf(number), new Date(), change, nonceOf(number - 1)));
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
}

/** The nonce of a commit; empty before the first one. */
const nonceOf = (number: number) => (number === 0 ? '' : `written-${number}`);

/** Twenty versions of each project. */
function recordOf(number: number): RevisionRecord {
  const version = number % 20;
  const project = Math.floor(number / 20);
  return {
    project: projectName(project),
    version: `${1 + Math.floor(version / 10)}.${version % 10}.0`,
    revision: `written-${number}`,
    publishedAt: new Date(PUBLISHED + number * 60_000),
    archive: { size: 1_000_000, sha256: String(number).padStart(64, '0') },
    site: { files: 100, bytes: 5_000_000 },
    token: 'bench',
    docinfo: { name: `Project ${project}`, description: `What project ${project} is for, in a sentence` },
  };
}

/** The keys of all archives in a store. */
export async function archiveKeys(client: S3ObjectClient): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of client.list(keys.archive('').replace('.zip', ''))) found.push(key);
  return found;
}
