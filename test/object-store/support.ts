import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ObjectDocStoreOptions } from '../../src/adapters/object-store/index.js';
import { openDocStore } from '../../src/adapters/object-store/open-object-store.js';
import { type MemoryBucket, MemoryObjectClient } from '../support/memory-object-client.js';
import { noArchives } from '../support/no-archives.js';

/** Owner of clean-up functions that run at its end, such as a test. */
interface Cleaned {
  after(end: () => Promise<void>): void;
}

export async function temporaryDirectory(t: Cleaned): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A node on a bucket in memory, whose requests can be made to fail. */
export async function openNode(
  t: Cleaned,
  bucket: MemoryBucket,
  options: Partial<ObjectDocStoreOptions> = {},
) {
  const client = new MemoryObjectClient(bucket);
  const reported: string[] = [];
  const store = await openDocStore(client, {
    archives: noArchives,
    cacheDirectory: await temporaryDirectory(t),
    cacheBytes: 10_000_000,
    pollMs: 20,
    report: (message) => reported.push(message),
    ...options,
  });
  t.after(() => store.close());
  return { store, client, reported };
}

export function keysOf(bucket: MemoryBucket, prefix: string): string[] {
  return [...bucket.keys()].filter((key) => key.startsWith(prefix)).sort();
}
