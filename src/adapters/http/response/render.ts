import { Readable } from 'node:stream';
import type { ByteRange, StoredFile } from '../../../application/index.js';
import { contentTypeOf } from '../../../node/content-type.js';
import type { AppParts } from '../app-parts.js';
import { HttpFault } from '../errors.js';
import { type Answer, type Asked, cacheHeader, NO_INDEX, type Rendered } from './answer.js';
import { bodyOf, gzippedBodyOf, gzippedStream, MAX_BUFFERED_BYTES } from './bodies.js';
import { type Encoding, isFresh, parseByteRange, preferredEncoding } from './negotiation.js';
import type { Text } from './texts.js';

/** Min. size of a body to compress, in bytes: smaller ones save nothing on the wire. */
const MIN_COMPRESSED_BYTES = 1024;
/** Content types that compress well; others are sent as they are. */
const COMPRESSIBLE =
  /^text\/|[/+](?:javascript|json|xml|svg\+xml|wasm|x-ns-proxy-autoconfig)(?:$|;)|^font\/(?:ttf|otf)|^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)/;
/** Conditional headers that web servers interpret differently: Lectern then sends the file itself. */
const CONDITIONS = ['range', 'if-range', 'if-match', 'if-unmodified-since'] as const;

/**
 * Renders an answer for what the client has and accepts: conditions, one range, an encoding (RFC 9110 sections 8, 12, 13 and 14),
 * privacy. A file of the answer is closed unless the body streams it.
 * @throws HttpFault `invalid_request` with status 416; refusals of the store
 */
export async function render(answer: Answer, asked: Asked, parts: AppParts): Promise<Rendered> {
  const { body } = answer;
  const draft = new Draft(answer, asked, parts);
  if (body === undefined) return draft.end(undefined);
  if ('file' in body) return draft.file(body.file, body.name);
  if ('text' in body) return draft.text(body.text);
  if ('stream' in body) return draft.stream(body.stream, body.type, body.size);
  return draft.content(body.content, body.type);
}

/** An answer that is being rendered. */
class Draft {
  private readonly headers = new Map<string, string>();
  private readonly vary: string[];

  constructor(
    private readonly answer: Answer,
    private readonly asked: Asked,
    private readonly parts: AppParts,
  ) {
    this.vary = [...(answer.vary ?? [])];
    this.set('X-Content-Type-Options', 'nosniff');
    if (!parts.indexing) this.add(NO_INDEX);
    if (answer.headers !== undefined) this.add(answer.headers);
  }

  content(content: string | Buffer, type: string): Rendered {
    this.set('Content-Type', type);
    this.set('Content-Length', String(Buffer.byteLength(content)));
    return this.end(content);
  }

  async text(text: Text): Promise<Rendered> {
    const isKept = this.answer.cache !== 'never';
    const encoding = text.bytes.length >= MIN_COMPRESSED_BYTES ? this.encoding : 'identity';
    const etag = etagIn(encoding, text.hash);
    this.vary.push('Accept-Encoding');
    if (isKept) this.set('ETag', etag);
    if (isKept && isFresh(this.asked.headers, etag)) return this.end(undefined, 304);
    this.add(text.headers);
    if (encoding === 'gzip') this.set('Content-Encoding', 'gzip');
    return this.content(encoding === 'gzip' ? await text.gzip() : text.bytes, text.type);
  }

  /** A stream whose `Last-Modified`, if it has one, is the only validator. */
  stream(stream: Readable, type: string, size: number | undefined): Rendered {
    const modified = this.headers.get('Last-Modified');
    if (modified !== undefined && isFresh(this.asked.headers, '', modified)) {
      stream.destroy();
      return this.end(undefined, 304);
    }
    const isText = isCompressible(type);
    if (isText) this.vary.push('Accept-Encoding');
    this.set('Content-Type', type);
    const isPlain = !isText || this.encoding === 'identity';
    if (!isPlain) this.set('Content-Encoding', 'gzip');
    else if (size !== undefined) this.set('Content-Length', String(size));
    return this.end(isPlain ? stream : gzippedStream(stream));
  }

  async file(file: StoredFile, name: string): Promise<Rendered> {
    try {
      return await this.openFile(file, contentTypeOf(name, file.charset));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Returns the draft as it goes out. A body is not for `HEAD`. */
  end(body: string | Buffer | Readable | undefined, status = this.answer.status): Rendered {
    const isSent = this.asked.method !== 'HEAD';
    if (!isSent && body instanceof Readable) body.destroy();
    this.addPolicy();
    const { hosts } = this.parts.at;
    const policy = this.headers.get('Content-Security-Policy');
    if (hosts !== undefined && policy !== undefined) {
      // Own pages show what is on the hosts of projects: logos, and pages in frames.
      const widened = policy.replace(/(?:img|frame)-src 'self'/g, `$& ${hosts.sources}`);
      this.set('Content-Security-Policy', widened);
    }
    return { status, headers: this.headers, body: isSent ? body : undefined };
  }

  private async openFile(file: StoredFile, type: string): Promise<Rendered> {
    const { method, headers } = this.asked;
    const { status } = this.answer;
    const isText = isCompressible(type);
    // Ranges apply to the file itself, never to its compressed form.
    const wantsRange = method === 'GET' && status === 200 && headers.range !== undefined;
    const encoding = isText && file.size >= MIN_COMPRESSED_BYTES && !wantsRange ? this.encoding : 'identity';
    const etag = etagIn(encoding, file.etag);
    const lastModified = file.modifiedAt.toUTCString();
    this.set('Last-Modified', lastModified);
    this.set('ETag', etag);
    if (isText) this.vary.push('Accept-Encoding');
    if (encoding === 'identity') this.set('Accept-Ranges', 'bytes');
    if (status === 200 && isFresh(headers, etag, lastModified)) {
      await file.close();
      return this.end(undefined, 304);
    }
    // `If-Range` (RFC 9110 section 13.1.5): a strong ETag or the exact date, else the whole file.
    const mayUseRange = wantsRange && ['', etag, lastModified].includes(String(headers['if-range'] ?? ''));
    const range = mayUseRange ? rangeOf(headers.range ?? '', file.size) : undefined;
    this.set('Content-Type', type);
    if (encoding === 'gzip') {
      this.set('Content-Encoding', 'gzip');
      const { body, size } = await gzippedBodyOf(file, method !== 'HEAD');
      const length = Buffer.isBuffer(body) ? body.length : size;
      if (length !== undefined) this.set('Content-Length', String(length));
      return this.end(body);
    }
    const length = range === undefined ? file.size : range.end + 1 - range.start;
    const accelerated = range === undefined && method === 'GET' ? this.pathInFront(file) : undefined;
    if (accelerated !== undefined) {
      await file.close();
      // The web server adds this header itself.
      this.headers.delete('Accept-Ranges');
      this.set('X-Accel-Redirect', accelerated);
      this.set('Content-Length', '0');
      return this.end('');
    }
    if (range !== undefined) this.set('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`);
    this.set('Content-Length', String(length));
    if (method === 'HEAD') await file.close();
    return this.end(
      method === 'HEAD' ? undefined : await bodyOf(file, range, length),
      range === undefined ? status : 206,
    );
  }

  /** Where the web server in front has a file, if it is to send it. Small pages are sent from memory next time. */
  private pathInFront(file: StoredFile): string | undefined {
    const { accelRedirect } = this.parts;
    if (accelRedirect === undefined || this.answer.status !== 200) return undefined;
    if (this.answer.keep !== undefined && file.size <= MAX_BUFFERED_BYTES) return undefined;
    if (CONDITIONS.some((name) => this.asked.headers[name] !== undefined)) return undefined;
    const path = accelRedirect.store.localPath(file);
    return path && accelRedirect.location + path.split('/').map(encodeURIComponent).join('/');
  }

  /**
   * Adds the headers for caches. An answer that depends on the reader is kept out of shared caches, and out of pages of other
   * origins; an answer about a public project, or with a file that is the same for everybody, is not.
   */
  private addPolicy(): void {
    const { cache, about } = this.answer;
    const { readers } = this.parts;
    const isOfFile = cache === 'immutable' || cache === 'siteScript';
    const isForAll = !readers.areDifferent || isOfFile || (about !== undefined && readers.isPublic(about));
    const isForOne = !isForAll && !this.asked.visitor.isNobody;
    if (!isForAll) this.vary.push(...readers.headers);
    if (isForOne) this.set('Cross-Origin-Resource-Policy', 'same-origin');
    this.add(cacheHeader(isForOne && cache === 'revalidate' ? 'private' : cache));
    if (this.vary.length > 0) this.set('Vary', [...new Set(this.vary)].join(', '));
  }

  private get encoding(): Encoding {
    return preferredEncoding(this.asked.headers);
  }

  private set(name: string, value: string): void {
    this.headers.set(name, value);
  }

  private add(headers: Readonly<Record<string, string>>): void {
    for (const name in headers) this.headers.set(name, headers[name] ?? '');
  }
}

/** @throws HttpFault `invalid_request` with status 416 for a range outside of the file */
function rangeOf(header: string, size: number): ByteRange | undefined {
  const range = parseByteRange(header, size);
  if (range !== 'unsatisfiable') return range;
  throw new HttpFault(
    'invalid_request',
    `The requested range is outside the ${size} bytes of the file`,
    { 'Content-Range': `bytes */${size}` },
    416,
  );
}

/** @param type a content type, with or without parameters */
export function isCompressible(type: string): boolean {
  return COMPRESSIBLE.test(type);
}

/**
 * Strong ETag, different for each encoding (RFC 9110 section 8.8.3.3).
 * @param tag changes whenever the bytes change; without quotes
 */
function etagIn(encoding: Encoding, tag: string): string {
  return encoding === 'identity' ? `"${tag}"` : `"${tag}-${encoding}"`;
}
