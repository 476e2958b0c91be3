/** Where a store lies: `s3://bucket/prefix`. */
export interface StoreAddress {
  readonly bucket: string;
  /** Empty, or ends in `/`: it is put before every key. */
  readonly prefix: string;
}

/** Why a text is not the address of a store, as a sentence. */
export class BadStoreAddress extends Error {
  override readonly name = 'BadStoreAddress';
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Characters that every store and every tool takes as they are. */
const COMPONENT = /^[A-Za-z0-9!_.*'()-]+$/;
/** Of the 1,024 bytes of a key, the rest is for what comes after the prefix. */
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
  if (bucket.includes('@')) return refuse('credentials do not belong into it');
  if (bucket === '') return refuse('it names no bucket');
  if (!BUCKET.test(bucket) || bucket.includes('..')) {
    return refuse(
      `'${bucket}' is no name of a bucket: 3 to 63 lower-case letters, digits, '.' and '-', a letter or digit first and last`,
    );
  }
  const prefix = path.replace(/\/$/, '');
  if (prefix === '') return { bucket, prefix: '' };
  if (prefix.length > MAX_PREFIX) return refuse(`the prefix is longer than ${MAX_PREFIX} characters`);
  for (const component of prefix.split('/')) {
    if (component === '') return refuse("the prefix has an empty component: '//'");
    if (component === '.' || component === '..') return refuse(`the prefix has a component '${component}'`);
    if (!COMPONENT.test(component)) {
      return refuse("the prefix may have letters of ASCII, digits, '/' and !_.*'()- only");
    }
  }
  return { bucket, prefix: `${prefix}/` };
}
