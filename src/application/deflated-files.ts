/** Where an archive holds the content of one file as raw deflate data, and what it becomes. */
export interface DeflatedFile {
  /** Position of the data in the archive, and its bytes. */
  readonly offset: number;
  readonly length: number;
  /** Of the content. */
  readonly size: number;
  readonly crc32: number;
}

/** Of the path, then the fields above. */
const NUMBERS_PER_FILE = 5;
/** Check sum and format come first. */
const NUMBERS_BEFORE = 2;
const FORMAT = 1;

/**
 * Which files of a site its archive holds deflated: the same data, wrapped, is their gzip form. Written once for
 * each site and looked up by path; one flat array of numbers, sorted by the hash of the path, so that a hundred
 * thousand files take 4 MB and no time to read.
 */
export class DeflatedFiles {
  private constructor(private readonly numbers: Float64Array) {}

  /** @param files by path, all files of the site: those that the archive does not hold deflated are undefined */
  static of(files: ReadonlyMap<string, DeflatedFile | undefined>): DeflatedFiles {
    const byHash = new Map<number, DeflatedFile | undefined>();
    for (const [path, file] of files) {
      const hash = hashOf(path);
      // Two paths of one hash could be taken for each other, so neither is known.
      byHash.set(hash, byHash.has(hash) ? undefined : file);
    }
    const known = [...byHash].flatMap(([hash, file]) => (file === undefined ? [] : [{ hash, file }]));
    known.sort((a, b) => a.hash - b.hash);
    const numbers = new Float64Array(NUMBERS_BEFORE + NUMBERS_PER_FILE * known.length);
    for (const [index, { hash, file }] of known.entries()) {
      const at = NUMBERS_BEFORE + NUMBERS_PER_FILE * index;
      numbers.set([hash, file.offset, file.length, file.size, file.crc32], at);
    }
    numbers[1] = FORMAT;
    numbers[0] = checkSumOf(numbers);
    return new DeflatedFiles(numbers);
  }

  /** What `bytes` gave, or undefined when it is damaged or of another format. */
  static from(bytes: Uint8Array): DeflatedFiles | undefined {
    if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0) return undefined;
    // Copied: in a larger buffer they may stand where no array of numbers can start.
    const numbers = new Float64Array(new Uint8Array(bytes).buffer);
    const isWhole = (numbers.length - NUMBERS_BEFORE) % NUMBERS_PER_FILE === 0;
    return isWhole && numbers[1] === FORMAT && numbers[0] === checkSumOf(numbers)
      ? new DeflatedFiles(numbers)
      : undefined;
  }

  get bytes(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.numbers;
    return new Uint8Array(buffer, byteOffset, byteLength);
  }

  /** @param path of a file of the site, with `/` */
  find(path: string): DeflatedFile | undefined {
    const wanted = hashOf(path);
    let low = 0;
    let high = (this.numbers.length - NUMBERS_BEFORE) / NUMBERS_PER_FILE;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = NUMBERS_BEFORE + NUMBERS_PER_FILE * middle;
      const hash = this.numbers[at] ?? 0;
      if (hash === wanted) return this.fileAt(at + 1);
      if (hash < wanted) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }

  private fileAt(at: number): DeflatedFile {
    const [offset = 0, length = 0, size = 0, crc32 = 0] = this.numbers.subarray(
      at,
      at + NUMBERS_PER_FILE - 1,
    );
    return { offset, length, size, crc32 };
  }
}

/** 53 bits, so that it is a whole number (cyrb53, public domain): two paths in a million sites are alike. */
function hashOf(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

/** Of everything behind the check sum itself (FNV-1a): a power cut may leave zeros, or half of it. */
function checkSumOf(numbers: Float64Array): number {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset + Float64Array.BYTES_PER_ELEMENT);
  let sum = 0x811c9dc5;
  for (const word of words) sum = Math.imul(sum ^ word, 0x01000193);
  return sum >>> 0;
}
