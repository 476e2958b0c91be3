import type { ByteRange } from '../../../application/index.js';

/**
 * Parses a `Range` header (RFC 9110 section 14.1.2). Several ranges are ignored: they cost more than they help, and a
 * server may always send the whole.
 * @returns the range within a file of `size` bytes; `'unsatisfiable'` when it lies outside; undefined when the header
 *   is to be ignored
 */
export function parseByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last, suffix] = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header.trim()) ?? [];
  if (suffix !== undefined) {
    const length = Math.min(Number(suffix), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === undefined || last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}
