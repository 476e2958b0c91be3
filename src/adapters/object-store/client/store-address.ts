/** Address of a store: `s3://bucket/prefix`. */
export interface StoreAddress {
  readonly bucket: string;
  /** Empty, or ends in `/`: it is put before every key. */
  readonly prefix: string;
}

/** Error with a sentence that says why a text is not the address of a store. */
export class BadStoreAddress extends Error {
  override readonly name = 'BadStoreAddress';
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that every store and every tool takes as they are. */
const COMPONENT = /^[A-Za-z0-9!_.*'()-]+$/;
/** Max. characters of a prefix, a byte each. The rest of a key's 1,024 bytes is for the part after the prefix. */
const MAX_PREFIX = 512;

/**
 * Parses `s3://bucket` or `s3://bucket/prefix`. A `/` at the end changes nothing.
 * @throws BadStoreAddress
 */
export function parseStoreAddress(text: string): StoreAddress {
  const refuse = (why: string): never => {
    throw new BadStoreAddress(`the store must be s3://<bucket> or s3://<bucket>/<prefix>: ${why}`);
  };
  const parts = /^s3:\/\/([^/]*)(?:\/(.*))?$/s.exec(text);
  if (parts === null) return refuse("it does not begin with 's3://'");
  const [, bucket = '', path = ''] = parts;
  // Not quoted: the bucket may have been given as key:secret@bucket.
  if (bucket.includes('@')) return refuse('it must not contain credentials');
  if (bucket === '') return refuse('it has no bucket');
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    return refuse(
      `'${bucket}' is not a valid bucket name: 3 to 63 lower-case letters, digits, '.' and '-', a letter or digit first and last`,
    );
  }
  const prefix = path.replace(/\/$/, '');
  if (prefix === '') return { bucket, prefix: '' };
  if (prefix.length > MAX_PREFIX) return refuse(`the prefix is longer than ${MAX_PREFIX} characters`);
  for (const component of prefix.split('/')) {
    if (component === '') return refuse("the prefix has an empty component: '//'");
    if (component === '.' || component === '..') return refuse(`the prefix has a component '${component}'`);
    if (!COMPONENT.test(component)) {
      return refuse("the prefix may contain only ASCII letters, digits, '/' and !_.*'()-");
    }
  }
  return { bucket, prefix: `${prefix}/` };
}
