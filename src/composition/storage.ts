import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { EXIT, naming, namingPath, StartError, type Storage, startError } from '../adapters/cli/index.js';
import { FilesystemDocStore } from '../adapters/filesystem/index.js';
import type { OpenObjectStore, StoreAddress } from '../adapters/object-store/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import type {
  Archives,
  DirectDownloads,
  DocStore,
  LocalStore,
  Privacy,
  PrivateProjects,
  StoreObserver,
} from '../application/index.js';

/** An open store, and its abilities beside the port. */
export interface OpenStorage {
  readonly docs: DocStore;
  /** Whether projects in it may be private, where the store remembers that. */
  readonly mark?: PrivateProjects;
  /** Free space where uploads are received, where the store knows it. */
  readonly disk?: Pick<LocalStore, 'freeBytes'>;
  /** The store, if it is a directory. */
  readonly local?: Pick<LocalStore, 'localPath' | 'derivedPath' | 'isFirst' | 'showInPublic'> | undefined;
  /** The store, if clients are to download archives from it. */
  readonly direct?: DirectDownloads | undefined;
  /** The store, if it is an object store. */
  readonly objects?: OpenObjectStore;
}

interface StorageParts {
  readonly archives: Archives;
  /** Whether nothing is ever published or removed. */
  readonly isReadOnly: boolean;
  readonly privacy: Privacy;
  /** Milliseconds for which removed versions can be restored; undefined leaves alone what servers keep. */
  readonly keepRemovedMs?: number;
  /** Receives warnings. */
  readonly report: (message: string, fields: object) => void;
  readonly onRequest?: StoreObserver | undefined;
}

/** The place of the sites. */
export interface StoragePlace {
  /** The docs directory, or the address of the object store. */
  readonly name: string;
  readonly isObjectStore: boolean;
  /** The options by which commands are told of it; undefined where none can be. */
  readonly options?: readonly string[];
  /** Directory of this machine for what can be made again. */
  readonly cacheDirectory: string;
  /** Checks what can be checked before the server listens. @throws StartError */
  assertUsable(options: { readonly mayBeReadOnly: boolean; readonly privacy: Privacy }): Promise<void>;
  /** @throws StartError */
  open(parts: StorageParts): Promise<OpenStorage>;
}

export function storagePlace(storage: Storage): StoragePlace {
  return 'docs' in storage ? docsDirectory(storage.docs) : objectStore(storage.store);
}

function docsDirectory(directory: string): StoragePlace {
  const what = `the docs directory ${directory}`;
  return {
    name: directory,
    isObjectStore: false,
    options: ['-d', directory],
    cacheDirectory: tmpdir(),
    assertUsable: (options) => naming(what, FilesystemDocStore.assertUsable(directory, options)),
    open: async ({ archives, isReadOnly, privacy, keepRemovedMs, report }) => {
      const options = { archives, readDocinfo: readYamlDocinfo, mayBeReadOnly: isReadOnly };
      const parts = { ...options, privacy, keepRemovedMs, report };
      const docs = await naming(what, FilesystemDocStore.open(directory, parts));
      return { docs, mark: docs, disk: docs, local: docs };
    },
  };
}

export type ObjectStore = Extract<Storage, { readonly store: unknown }>['store'];

function objectStore({ directDownloads, ...config }: ObjectStore): StoragePlace {
  const { address, endpoint, cacheDirectory } = config;
  return {
    name: address,
    isObjectStore: true,
    options: ['--store', address, ...(endpoint ? ['--store-endpoint', endpoint] : [])],
    cacheDirectory,
    assertUsable: async () => {
      await storeAddress(address);
      const { openCacheDirectory } = await import('../adapters/object-store/index.js');
      await openCacheDirectory(config.cacheDirectory).catch((error: unknown) => {
        throw startError('--cache-dir', namingPath(error));
      });
    },
    open: async ({ archives, isReadOnly, privacy, keepRemovedMs, report, onRequest }) => {
      // Loaded only here: the client of the store is large.
      const { openObjectStore, StoreUnavailable, UnfitStore } = await import(
        '../adapters/object-store/index.js'
      );
      try {
        const docs = await openObjectStore({
          ...config,
          archives,
          isReadOnly,
          privacy,
          keepRemovedMs,
          report,
          ...(onRequest === undefined ? {} : { onRequest }),
        });
        return { docs, mark: docs, disk: docs, objects: docs, ...(directDownloads ? { direct: docs } : {}) };
      } catch (error) {
        const where = describeStore(config);
        if (error instanceof StoreUnavailable) {
          throw new StartError(`${where}: ${error.message}`, { cause: error }, EXIT.unreachable);
        }
        if (!(error instanceof UnfitStore)) throw startError(where, error);
        throw new StartError(
          `${where}: ${error.message} With --single-writer it is used anyway; only one server may take uploads then`,
          { cause: error },
        );
      }
    },
  };
}

/** Facts about a docs directory that has to be there: a command that only reads never creates one. @throws StartError */
export async function docsDirectoryFacts(docs: string) {
  return naming(`the docs directory ${docs}`, stat(docs));
}

/** How a command that ends by itself uses an object store: it caches nothing, and need not see changes by servers at once. */
export function withoutCache(directory: string) {
  return { pollMs: 60_000, cacheDirectory: directory, cacheBytes: 0 };
}

/** Prints a warning of a store to stderr, for commands without a log. */
export function warn(message: string, { err }: { readonly err?: unknown }): void {
  const reason = err instanceof Error ? `: ${err.message}` : '';
  process.stderr.write(`lectern: ${message}${reason}\n`);
}

/** Parses the address of an object store. @throws StartError */
export async function storeAddress(address: string): Promise<StoreAddress> {
  const { parseStoreAddress } = await import('../adapters/object-store/index.js');
  try {
    return parseStoreAddress(address);
  } catch (error) {
    // Without the address: somebody may have written credentials into it.
    throw new StartError((error as Error).message, { cause: error });
  }
}

/** An object store, for messages. */
export function describeStore({ address, endpoint }: Pick<ObjectStore, 'address' | 'endpoint'>): string {
  return `the object store ${address}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
}
