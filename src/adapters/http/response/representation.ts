import { contentType } from 'mime-types';
import type { StoredFile } from '../../../application/index.js';

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

/** Content type by the extension of a name, which may be a path. */
function typeOf(name: string): string {
  return contentType(name.slice(name.lastIndexOf('/') + 1)) || 'application/octet-stream';
}

/**
 * Strong ETag, different for each encoding (RFC 9110 section 8.8.3.3).
 * @param tag changes whenever the bytes change; without quotes
 */
export function etagIn(encoding: Encoding, tag: string): string {
  return encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
}

export type Header = readonly [name: string, value: string];

/** Response headers of a file, independent of the request. */
export class Representation {
  readonly type: string;
  /** Whether the response depends on `Accept-Encoding`. */
  readonly varies: boolean;
  readonly mayCompress: boolean;
  readonly lastModified: string;

  constructor(
    private readonly file: Pick<StoredFile, 'size' | 'modifiedAt' | 'etag'>,
    name: string,
  ) {
    this.type = typeOf(name);
    this.varies = isCompressible(this.type);
    this.mayCompress = this.varies && file.size >= MIN_COMPRESSED_BYTES;
    this.lastModified = file.modifiedAt.toUTCString();
  }

  etag(encoding: Encoding): string {
    return etagIn(encoding, this.file.etag);
  }

  /** Headers of a full response and of a 304 alike. */
  headers(encoding: Encoding): readonly Header[] {
    const headers: Header[] = [
      ['Cache-Control', 'no-cache'],
      ['Last-Modified', this.lastModified],
      ['ETag', this.etag(encoding)],
    ];
    if (this.varies) headers.push(['Vary', 'Accept-Encoding']);
    if (encoding === 'identity') headers.push(['Accept-Ranges', 'bytes']);
    return headers;
  }
}
