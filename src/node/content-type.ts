import { isAscii, isUtf8 } from 'node:buffer';
import { contentType } from 'mime-types';
import {
  type CharsetFinding,
  findCharset,
  MAX_LABEL_BYTES,
  type TextKind,
  UNKNOWN_CHARSET,
} from '../formats/html/charset.js';

const UTF8 = '; charset=utf-8';
/** Bytes of the longest character of UTF-8, less one: as many may be cut off at the end of a chunk. */
const MAX_CUT_BYTES = 3;
const NOTHING = new Uint8Array();

/**
 * The content type of a file, by the extension of its name.
 * @param name may be a path
 * @param charset of a text, as `StoredFile` has it
 */
export function contentTypeOf(name: string, charset?: string): string {
  const type = contentType(name.slice(name.lastIndexOf('/') + 1)) || 'application/octet-stream';
  if (charset === undefined || !type.endsWith(UTF8)) return type;
  return type.slice(0, -UTF8.length) + (charset === UNKNOWN_CHARSET ? '' : `; charset=${charset}`);
}

/** The kind of a text whose content type has a charset; undefined for other files, also for XML, which declares its own. */
export function textKindOf(name: string): TextKind | undefined {
  const type = contentTypeOf(name);
  if (!type.endsWith(UTF8)) return undefined;
  return type.startsWith('text/html;') ? 'html' : type.startsWith('text/css;') ? 'css' : 'other';
}

/** Finds the charset of a text file, whose content it takes in chunks. */
export class CharsetReader {
  private start: Uint8Array = NOTHING;
  /** Whether all content is ASCII, or UTF-8, so far. */
  isAscii = true;
  private isUtf8 = true;
  /** The first bytes of a character that the next chunk goes on with. */
  private cut: Uint8Array = NOTHING;

  constructor(private readonly kind: TextKind) {}

  take(chunk: Uint8Array): void {
    const missing = MAX_LABEL_BYTES - this.start.length;
    if (missing > 0) this.start = Buffer.concat([this.start, chunk.subarray(0, missing)]);
    if (!this.isUtf8 || (this.cut.length === 0 && isAscii(chunk))) return;
    this.isAscii = false;
    const bytes = this.cut.length === 0 ? chunk : Buffer.concat([this.cut, chunk]);
    const end = endOfCharacters(bytes);
    this.isUtf8 = isUtf8(bytes.subarray(0, end));
    this.cut = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
  }

  /** @param isPart whether the file goes on after what was taken */
  find(isPart = false): CharsetFinding {
    const isUtf8 = this.isUtf8 && (isPart || this.cut.length === 0);
    return findCharset(this.kind, this.start, this.isAscii ? 'ascii' : isUtf8 ? 'utf-8' : 'neither');
  }
}

/**
 * The charset of a file as `StoredFile` has it, by its name and its bytes.
 * @param isPart whether the file goes on after these bytes
 */
export function charsetOf(name: string, bytes: Uint8Array, isPart = false): string | undefined {
  const kind = textKindOf(name);
  if (kind === undefined) return undefined;
  const reader = new CharsetReader(kind);
  reader.take(bytes);
  return reader.find(isPart).charset;
}

/** Position behind the last whole character of UTF-8. */
function endOfCharacters(bytes: Uint8Array): number {
  const last = bytes.length - 1;
  for (let at = last; at >= 0 && at > last - MAX_CUT_BYTES; at -= 1) {
    const byte = bytes[at] ?? 0;
    // Skips continuation bytes of UTF-8.
    if (byte >= 0x80 && byte < 0xc0) continue;
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return at + length > bytes.length ? at : bytes.length;
  }
  return bytes.length;
}
