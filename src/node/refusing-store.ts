import type { DocStore } from '../application/ports/doc-store.js';
import type { StoredFile } from '../application/ports/sites.js';

/** Returns the refusal that an error of a disk or an object store is for clients; any other error as it is. */
type RefusalOf = (error: unknown) => unknown;

/** Results of methods that have methods of their own, by the name of the method that returns them. */
// biome-ignore lint/suspicious/noExplicitAny: each method has a result of its own.
type Results = Readonly<Record<string, (result: any) => unknown>>;

/** Runs `work`. @throws what `refusalOf` makes of its error */
export async function refusing<T>(refusalOf: RefusalOf, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * Returns a store like this one whose promises fail with refusals: those of all its methods, of its abilities beside the port
 * too, and of its stagings and derived files.
 * @param refusesInStreams whether this holds for the bytes of its files as well, which are to be fetched yet. Who reads an
 *   open file of a local disk has to tell a damaged file from a store that is out of reach
 */
export function refusingStore<Store extends DocStore>(
  store: Store,
  refusalOf: RefusalOf,
  { refusesInStreams = false } = {},
): Store {
  const fileOf = (file: StoredFile | undefined) =>
    file && refusesInStreams ? refusingFile(file, refusalOf) : file;
  const refusingOne = refusingMethods(store, refusalOf, {
    stage: (staging: object) => refusingMethods(staging, refusalOf),
    open: (entry: Awaited<ReturnType<DocStore['open']>>) =>
      entry?.kind === 'file' ? { ...entry, file: fileOf(entry.file) } : entry,
    openArchive: fileOf,
  });
  const derived = refusingMethods(store.derived, refusalOf, { open: fileOf });
  return Object.assign(refusingOne, { derived });
}

/** Inherits everything else, so that it is an instance of the same class. */
export function refusingMethods<T extends object>(target: T, refusalOf: RefusalOf, results: Results = {}): T {
  const refused = (error: unknown): never => {
    throw refusalOf(error);
  };
  const wrapped = target as Record<string, (...args: unknown[]) => unknown>;
  const methods: Record<string, unknown> = {};
  for (const name of methodsOf(target)) {
    methods[name] = (...args: unknown[]) => {
      try {
        const result = wrapped[name]?.(...args);
        return result instanceof Promise ? result.then(results[name], refused) : result;
      } catch (error) {
        return refused(error);
      }
    };
  }
  return Object.assign(Object.create(target), methods);
}

function methodsOf(target: object): readonly string[] {
  const names: string[] = [];
  for (let each = target; each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(each))) {
      if (typeof value === 'function' && name !== 'constructor') names.push(name);
    }
  }
  return names;
}

/** By hand, as there is one for each page. */
function refusingFile(file: StoredFile, refusalOf: RefusalOf): StoredFile {
  return Object.assign(Object.create(file), {
    stream: (...range: Parameters<StoredFile['stream']>) => refusingStream(file.stream(...range), refusalOf),
    gzipped: async () => {
      const encoded = await file.gzipped?.();
      const stream = () => refusingStream(encoded?.stream() ?? [], refusalOf);
      return encoded && Object.assign(Object.create(encoded), { stream });
    },
  });
}

async function* refusingStream<T>(chunks: AsyncIterable<T> | readonly T[], refusalOf: RefusalOf) {
  try {
    yield* chunks;
  } catch (error) {
    throw refusalOf(error);
  }
}
