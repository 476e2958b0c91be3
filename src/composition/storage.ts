import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import {
  EXIT,
  type Locations,
  naming,
  namingPath,
  type Place,
  type Scheme,
  type ServedLocations,
  StartError,
  startError,
} from '../adapters/cli/index.js';
import { FilesystemDocStore, verifyDocs } from '../adapters/filesystem/index.js';
import type { OpenObjectStore, StoreAddress } from '../adapters/object-store/index.js';
import { readYamlDocinfo } from '../adapters/yaml/index.js';
import { ZipArchives } from '../adapters/zip/index.js';
import type {
  Archives,
  Check,
  DirectDownloads,
  DocStore,
  LocalStore,
  Privacy,
  PrivateProjects,
  StoreObserver,
} from '../application/index.js';
import { interruptible } from './interruptible.js';

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

/** The place of the sites, as a server needs it. */
export interface StoragePlace {
  /** The docs directory, or the address of the object store. */
  readonly name: string;
  /** Whether the store is tested before anything is published in it. */
  readonly isTriedOut?: boolean;
  /** Whether its requests and its status are metrics. */
  readonly isMeasured?: boolean;
  /** Options that name the place to commands; undefined if they cannot name it. */
  readonly options?: readonly string[];
  /** Directory of this machine for what can be made again. */
  readonly cacheDirectory: string;
  /** Checks what can be checked before the server listens. @throws StartError */
  assertUsable(options: { readonly mayBeReadOnly: boolean; readonly privacy: Privacy }): Promise<void>;
  /** @throws StartError */
  open(parts: StorageParts): Promise<OpenStorage>;
}

/** A place that the command line can name. */
export interface EnginePlace extends StoragePlace {
  /** Kind of place, for messages; `description` adds its name. */
  readonly kind: string;
  readonly description: string;
  /** For commands that must not create the place, as `open` would. @throws StartError when it is not there */
  assertThere(): Promise<void>;
  /** Places with one root lie in one another when one path begins with the other. Undefined: nothing is there. */
  whereabouts(): Promise<{ readonly root: string; readonly path: string } | undefined>;
  /** Compares every version with its archive, and makes anew what differs if `repair` is set. @throws StartError */
  verify(repair: boolean): AsyncIterable<Check>;
}

/** The storage engines: from the scheme of a place to what opens it, for a server and for a command that ends by itself. */
const ENGINES: {
  readonly [Each in Scheme]: {
    served(at: ServedLocations[Each]): EnginePlace;
    once(at: Locations[Each], directory: string): EnginePlace;
  };
} = {
  file: { served: docsDirectory, once: docsDirectory },
  s3: {
    served: objectStore,
    // A command caches nothing, and need not see changes by servers at once.
    once: (at, cacheDirectory) =>
      objectStore({ ...at, pollMs: 60_000, cacheDirectory, cacheBytes: 0, directDownloads: false }),
  },
};

/** The place as a server uses it. */
export function storagePlace<Of extends Scheme>({ scheme, at }: Place<ServedLocations, Of>): EnginePlace {
  return ENGINES[scheme].served(at);
}

/** The place as a command uses it that ends by itself. @param directory for what has to be on this disk until then */
export function placeOnce<Of extends Scheme>({ scheme, at }: Place<Locations, Of>, directory: string) {
  return ENGINES[scheme].once(at, directory);
}

function docsDirectory(directory: string): EnginePlace {
  const description = `the docs directory ${directory}`;
  return {
    name: directory,
    kind: 'directory',
    description,
    options: ['-d', directory],
    cacheDirectory: tmpdir(),
    assertUsable: (options) => naming(description, FilesystemDocStore.assertUsable(directory, options)),
    assertThere: async () => void (await naming(description, stat(directory))),
    whereabouts: async () => {
      const found = await stat(directory).catch(() => undefined);
      return found && { root: `${found.dev}:${found.ino}`, path: '' };
    },
    open: async ({ isReadOnly: mayBeReadOnly, ...parts }) => {
      const options = { ...parts, readDocinfo: readYamlDocinfo, mayBeReadOnly };
      const docs = await naming(description, FilesystemDocStore.open(directory, options));
      return { docs, mark: docs, disk: docs, local: docs };
    },
    verify: async function* (repair) {
      const archives = new ZipArchives();
      try {
        yield* verifyDocs(directory, { archives, repair });
      } catch (error) {
        throw startError(description, error);
      } finally {
        await archives.close();
      }
    },
  };
}

function objectStore({ directDownloads, ...config }: ServedLocations['s3']): EnginePlace {
  const { address, endpoint, cacheDirectory } = config;
  const description = `the object store ${address}`;
  const where = `${description}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
  return {
    name: address,
    kind: 'object store',
    description,
    isTriedOut: true,
    isMeasured: true,
    options: ['--store', address, ...(endpoint ? ['--store-endpoint', endpoint] : [])],
    cacheDirectory,
    assertUsable: async () => {
      await storeAddress(address);
      const { openCacheDirectory } = await import('../adapters/object-store/index.js');
      await openCacheDirectory(cacheDirectory).catch((error: unknown) => {
        throw startError('--cache-dir', namingPath(error));
      });
    },
    assertThere: async () => {},
    whereabouts: async () => {
      const { bucket, prefix } = await storeAddress(address);
      return { root: `${endpoint?.replace(/\/$/, '') ?? ''} ${bucket}`, path: prefix };
    },
    open: async (parts) => {
      // Loaded only here: the client of the store is large.
      const { openObjectStore, StoreUnavailable, UnfitStore } = await import(
        '../adapters/object-store/index.js'
      );
      try {
        const docs = await openObjectStore({ ...config, ...parts });
        return { docs, mark: docs, disk: docs, objects: docs, ...(directDownloads ? { direct: docs } : {}) };
      } catch (error) {
        if (error instanceof StoreUnavailable) {
          throw new StartError(`${where}: ${error.message}`, { cause: error }, EXIT.unreachable);
        }
        if (!(error instanceof UnfitStore)) throw startError(where, error);
        throw new StartError(
          `${where}: ${error.message} To use it anyway, add --single-writer; only one server may then accept uploads`,
          { cause: error },
        );
      }
    },
    verify: async function* (repair) {
      await storeAddress(address);
      const { verifyStore } = await import('../adapters/object-store/index.js');
      yield* interruptible(async function* ({ directory, signal }) {
        const archives = new ZipArchives();
        signal.addEventListener('abort', () => archives.giveUp());
        try {
          yield* verifyStore(config, { archives, repair, directory, signal });
        } catch (error) {
          if (error instanceof StartError) throw error;
          // An error of the local disk has an errno code and the name of a system call.
          const isOfDisk = (error as NodeJS.ErrnoException).syscall !== undefined;
          throw startError(isOfDisk ? `the temporary directory ${directory}` : where, error);
        } finally {
          await archives.close();
        }
      });
    },
  };
}

/** Prints a warning of a store to stderr, for commands without a log. */
export function warn(message: string, { err }: { readonly err?: unknown }): void {
  const reason = err instanceof Error ? `: ${err.message}` : '';
  process.stderr.write(`lectern: ${message}${reason}\n`);
}

/** Parses the address of an object store. @throws StartError */
async function storeAddress(address: string): Promise<StoreAddress> {
  const { parseStoreAddress } = await import('../adapters/object-store/index.js');
  try {
    return parseStoreAddress(address);
  } catch (error) {
    // Without the address: somebody may have written credentials into it.
    throw new StartError((error as Error).message, { cause: error });
  }
}
