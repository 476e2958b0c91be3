import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../start-error.js';
import { type OptionReader, optionTable } from './option-reader.js';

/** Where an object store is, and how this node uses it. */
export interface ObjectStoreConfig {
  /** `s3://bucket/prefix`, not checked yet. */
  readonly address: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly pollMs: number;
  readonly isOnlyWriter: boolean;
  readonly cacheDirectory: string;
  readonly cacheBytes: number;
  readonly directDownloads: boolean;
}

/** The options of an object store, by name. */
export const STORE_OPTIONS = optionTable({
  store: [
    '<address>',
    'Object store that holds the documentation, such as s3://bucket/prefix; instead of a directory',
  ],
  'store-endpoint': ['<url>', 'Address of an object store other than AWS, such as https://s3.example.org'],
  'store-region': ['<name>', 'Region of the object store; else that of the AWS profile or environment'],
  'store-poll': [
    '<seconds>',
    'Seconds between two looks for changes by other servers on the object store',
    1,
  ],
  'single-writer': [
    '',
    'Use an object store that cannot create objects exclusively; only one server may then take uploads',
  ],
  'cache-dir': [
    '<directory>',
    'Directory for archives cached from the object store; else one under the temporary directory',
  ],
  'cache-dir-size': ['<size>', 'Max. size of the archives in --cache-dir', '10GiB'],
  'presigned-downloads': ['', 'Redirect downloads of archives to the object store, with a signed address'],
});

type StoreOption = keyof typeof STORE_OPTIONS;

/** @throws StartError for an invalid value */
export function readStoreOptions(read: OptionReader<StoreOption>): ObjectStoreConfig {
  return {
    address: read.required('store'),
    endpoint: readEndpoint(read, 'store-endpoint'),
    region: read.text('store-region'),
    pollMs: read.whole('store-poll', 1, 3_600) * 1_000,
    isOnlyWriter: read.flag('single-writer'),
    cacheDirectory: read.text('cache-dir') ?? join(tmpdir(), 'lectern-cache'),
    cacheBytes: read.size('cache-dir-size'),
    directDownloads: read.flag('presigned-downloads'),
  };
}

/** Reads the address of a store other than AWS. @throws StartError */
export function readEndpoint<Name extends string>(read: OptionReader<Name>, name: Name): string | undefined {
  const endpoint = read.text(name);
  if (endpoint === undefined || /^https?:\/\/[^/?#@]+\/?$/.test(endpoint)) return endpoint;
  // Not quoted: somebody may have written credentials into it.
  throw new StartError(
    `--${name}: expected an address such as https://s3.example.org, without a path and credentials`,
  );
}

/** @throws StartError when an option of an object store is given although there is none */
export function refuseStoreOptions(read: OptionReader<StoreOption>): void {
  for (const name of Object.keys(STORE_OPTIONS)) {
    if (name !== 'store' && read.given(name) === 'flag')
      throw new StartError(`--${name} works only with --store`);
  }
}
