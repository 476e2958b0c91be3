import { mayBeClose, signatureOf } from '../../../application/search/words/typos.js';

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
