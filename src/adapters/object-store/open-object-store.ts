import type { StoreObserver } from '../../application/index.js';
import { S3ObjectClient } from './client/s3-object-client.js';
import type { StoreConnection } from './client/sdk.js';
import { parseStoreAddress } from './client/store-address.js';
import { ObjectDocStore, type ObjectDocStoreOptions } from './object-doc-store.js';
import { proveStore } from './prove-store.js';

export interface ObjectStoreSettings extends ObjectDocStoreOptions, StoreConnection {
  /** `s3://bucket/prefix` */
  readonly address: string;
  /** Called at the end of each request to the store, for metrics. */
  readonly onRequest?: StoreObserver;
}

/** The store cannot be used by several writers. The message is a sentence that says what it did. */
export class UnfitStore extends Error {
  override readonly name = 'UnfitStore';
}

/**
 * Opens a DocStore in an object store. Before that, the store has to prove that it creates objects exclusively, unless
 * this node only reads. A store that fails is used with `isOnlyWriter`, and refused without.
 * @throws BadStoreAddress; UnfitStore; as `ObjectDocStore.open`
 */
export async function openObjectStore(settings: ObjectStoreSettings): Promise<ObjectDocStore> {
  const { address, isReadOnly = false, isOnlyWriter = false, report = () => {} } = settings;
  const client = await S3ObjectClient.open({ ...settings, ...parseStoreAddress(address) });
  try {
    const failure = isReadOnly ? undefined : await proveStore(client);
    if (failure !== undefined && !isOnlyWriter) throw new UnfitStore(failure);
    if (failure !== undefined) report(`only this server may take uploads: ${failure}`, {});
    return await ObjectDocStore.open(client, { ...settings, isOnlyWriter: failure !== undefined });
  } catch (error) {
    await client.close();
    throw error;
  }
}
