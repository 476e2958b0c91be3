import { isAscii, transcode } from 'node:buffer';
import type { Haystack } from '../../../application/search/page-content.js';

/**
 * A text that stays the bytes that it is, and is looked through as a string is. V8 makes strings of up to 131,072 bytes a hundred
 * times as fast as larger ones (Node 20 to 24), and many pages are larger.
 */
export class TextBytes implements Haystack {
  /** UTF-16 code units. */
  readonly length: number;

  /** @param unit bytes of a code unit: 1 for ASCII, else 2 */
  private constructor(
    private readonly bytes: Buffer,
    private readonly unit: 1 | 2,
  ) {
    this.length = bytes.length / unit;
  }

  /** The text of UTF-8. */
  static of(utf8: Buffer): TextBytes {
    return isAscii(utf8) ? new TextBytes(utf8, 1) : new TextBytes(transcode(utf8, 'utf8', 'utf16le'), 2);
  }

  indexOf(needle: string, from = 0): number {
    // No other letter is an ASCII one in UTF-8, as some are in Latin-1.
    const at = this.bytes.indexOf(needle, from * this.unit, this.unit === 1 ? 'utf8' : 'utf16le');
    return at === -1 ? -1 : at / this.unit;
  }

  charCodeAt(at: number): number {
    if (at >= this.length) return Number.NaN;
    return this.unit === 1 ? (this.bytes[at] ?? 0) : this.bytes.readUInt16LE(2 * at);
  }

  slice(from = 0, to = this.length): string {
    return this.bytes.toString(this.unit === 1 ? 'latin1' : 'utf16le', from * this.unit, to * this.unit);
  }
}
