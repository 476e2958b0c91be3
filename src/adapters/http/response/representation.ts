/** Content encoding of a body. */
export type Encoding = 'gzip' | 'identity';

/** Min. size of a body to compress, in bytes: smaller ones save nothing on the wire. */
export const MIN_COMPRESSED_BYTES = 1024;
/** Content types that compress well; others are sent as they are. */
const COMPRESSIBLE =
  /^text\/|[/+](?:javascript|json|xml|svg\+xml|wasm|x-ns-proxy-autoconfig)(?:$|;)|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)/;

/** @param type a content type, with or without parameters */
export function isCompressible(type: string): boolean {
  return COMPRESSIBLE.test(type);
}

/**
 * Strong ETag, different for each encoding (RFC 9110 section 8.8.3.3).
 * @param tag changes whenever the bytes change; without quotes
 */
export function etagIn(encoding: Encoding, tag: string): string {
  return encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
}
