import { crc32 } from 'node:zlib';
import { mayBeClose, signatureOf } from '../../../application/search/words/typos.js';

/** Bits of the filter for each word, and bits that a word sets: one in forty words that are not there seems to be. */
const BITS = 8;
const PROBES = 4;

/** A signature of 4 bytes, then the word as UTF-16. All words of a record list have one length. */
const SIGNATURE = 4;

/** Words of one length, as records that can be compared without reading the words. */
export function packSpellings(words: readonly string[]): Buffer {
  return Buffer.concat(
    words.map((word) => {
      const record = Buffer.alloc(SIGNATURE + 2 * word.length);
      record.writeInt32LE(signatureOf(word));
      record.write(word, SIGNATURE, 'utf16le');
      return record;
    }),
  );
}

/** The first `most` words whose letters allow for a distance of `typos` from a word with this signature. */
export function closeSpellings(
  packed: Buffer,
  length: number,
  signature: number,
  typos: number,
  most: number,
): string[] {
  const size = SIGNATURE + 2 * length;
  const close: string[] = [];
  for (let at = 0; at + size <= packed.length && close.length < most; at += size) {
    if (mayBeClose(signature, packed.readInt32LE(at), typos)) {
      close.push(packed.toString('utf16le', at + SIGNATURE, at + size));
    }
  }
  return close;
}

/** A Bloom filter: the bits that some words set. @param count of the words, about */
export function packFilter(words: Iterable<string>, count: number): Buffer {
  const filter = Buffer.alloc(Math.ceil((Math.max(1, count) * BITS) / 8));
  for (const word of words) {
    for (const bit of bitsOf(word, filter)) filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return filter;
}

/** Whether a word may be in a filter. */
export function mayHave(filter: Uint8Array, word: string): boolean {
  for (const bit of bitsOf(word, filter)) {
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** The bits of a word. The first one is made of its checksum, and how far apart they are of the checksum with a dot behind it. */
function bitsOf(word: string, { length }: Uint8Array): number[] {
  const first = crc32(word);
  const distance = crc32('.', first);
  const bits: number[] = [];
  for (let at = 0; at < PROBES; at += 1) bits.push((first + at * distance) % (8 * length));
  return bits;
}
