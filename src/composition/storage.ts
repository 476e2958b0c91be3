import { type ServeConfig, StartError, startError } from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import type { Logger } from '../adapters/http/index.js';
import type { ObjectDocStore, StoreObserver } from '../adapters/object-store/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import type { Archives, DirectDownloads, DocStore, LocalStore } from '../application/index.js';

/** An open store, and its abilities beside the port. */
export interface OpenStorage {
  readonly docs: DocStore;
  /** Free space where uploads are received. */
  readonly disk: Pick<LocalStore, 'freeBytes'>;
  /** The store, if web servers can read its files. */
  readonly local?: Pick<LocalStore, 'localPath'> | undefined;
  /** The store, if clients are to download archives from it. */
  readonly direct?: DirectDownloads | undefined;
  /** The store, if it is an object store. */
  readonly objects?: ObjectDocStore;
}

export interface StorageParts {
  readonly archives: Archives;
  /** Whether there are no tokens, so that nothing is ever written. */
  readonly isReadOnly: boolean;
  readonly logger: Logger;
  readonly onRequest?: StoreObserver | undefined;
}

/** The place of the sites. */
export interface StoragePlace {
  /** The docs directory, or the address of the object store. */
  readonly name: string;
  /** Checks what can be checked before the server listens. @throws StartError */
  assertUsable(options: { readonly mayBeReadOnly: boolean }): Promise<void>;
  /** @throws StartError */
  open(parts: StorageParts): Promise<OpenStorage>;
}

export function storagePlace({ storage }: Pick<ServeConfig, 'storage'>): StoragePlace {
  return 'docs' in storage ? docsDirectory(storage.docs) : objectStore(storage.store);
}

function docsDirectory(directory: string): StoragePlace {
  const failed = (error: unknown) => {
    throw startError(`the docs directory ${directory}`, error);
  };
  return {
    name: directory,
    assertUsable: (options) => FilesystemDocStore.assertUsable(directory, options).catch(failed),
    open: async ({ archives, isReadOnly, logger }) => {
      const docs = await FilesystemDocStore.open(directory, {
        archives,
        readDocinfo: readYamlDocinfo,
        mayBeReadOnly: isReadOnly,
        report: (message, fields) => logger.warn(fields, message),
      }).catch(failed);
      return { docs, disk: docs, local: docs };
    },
  };
}

type ObjectStore = Extract<ServeConfig['storage'], { readonly store: unknown }>['store'];

function objectStore({ directDownloads, ...config }: ObjectStore): StoragePlace {
  const { address, endpoint } = config;
  return {
    name: address,
    assertUsable: async () => {
      const { parseStoreAddress } = await import('../adapters/object-store/index.js');
      try {
        parseStoreAddress(address);
      } catch (error) {
        // Without the address: somebody may have written credentials into it.
        throw new StartError((error as Error).message, { cause: error });
      }
    },
    open: async ({ archives, isReadOnly, logger, onRequest }) => {
      // Loaded only here: the client of the store is large.
      const { openObjectStore, UnfitStore } = await import('../adapters/object-store/index.js');
      if (isReadOnly)
        logger.info({}, 'the object store is not tried out: without tokens, this server only reads');
      try {
        const docs = await openObjectStore({
          ...config,
          archives,
          isReadOnly,
          readDocinfo: readYamlDocinfo,
          report: (message, fields) => logger.warn(fields, message),
          ...(onRequest === undefined ? {} : { onRequest }),
        });
        return { docs, disk: docs, objects: docs, ...(directDownloads ? { direct: docs } : {}) };
      } catch (error) {
        const where = endpoint === undefined ? address : `${address} at ${endpoint}`;
        if (!(error instanceof UnfitStore)) throw startError(`the object store ${where}`, error);
        throw new StartError(
          `the object store ${where}: ${error.message} With --single-writer it is used anyway; only one server may take uploads then`,
          { cause: error },
        );
      }
    },
  };
}
