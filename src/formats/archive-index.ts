import { listIn } from '../domain/by-key.js';
import { bytesOfText } from '../domain/index.js';
import { checksumOf } from './checksum.js';

/** Position and size of one file in an archive. */
export interface IndexedFile {
  /** Path in the site, with `/`. */
  readonly path: string;
  /** Position of the file's data in the archive, in bytes. */
  readonly offset: number;
  /** Bytes in the archive; `size` is the unpacked bytes. */
  readonly compressedSize: number;
  readonly size: number;
  readonly method: 'stored' | 'deflated';
  /** CRC-32 of the unpacked content. */
  readonly crc32: number;
  /** Charset of a text, as `StoredFile` has it; undefined for UTF-8. */
  readonly charset?: string | undefined;
}

const FORMAT = 'lectern-archive-index 1';

/** Names of the columns with numbers. */
const NUMBERS = ['offset', 'compressedSize', 'size', 'crc32'] as const;

/** The stored form, in columns: each field's name appears once, and a column of numbers is small in memory. */
interface Columns extends Readonly<Record<(typeof NUMBERS)[number], readonly number[]>> {
  /** Sorted by UTF-16 code units, without duplicates. */
  readonly path: readonly string[];
  /** Indices of the stored files; all others are deflated. */
  readonly stored: readonly number[];
  /** Indices of the files in each charset but UTF-8; undefined when there are none. */
  readonly charsets?: Readonly<Record<string, readonly number[]>> | undefined;
}

/**
 * Index of the files in an archive. With it a file can be sent without unpacking the archive, and a deflated file as
 * gzip without compressing it. The text has a first line with the format and a checksum; JSON follows.
 */
export class ArchiveIndex {
  /** Memory that it takes, about. */
  readonly bytes: number;
  private readonly stored: ReadonlySet<number>;
  private readonly charsets: ReadonlyMap<number, string>;

  private constructor(private readonly columns: Columns) {
    this.stored = new Set(columns.stored);
    this.charsets = new Map(
      Object.entries(columns.charsets ?? {}).flatMap(([charset, files]) =>
        files.map((index) => [index, charset] as const),
      ),
    );
    const sparse = 40 * (this.stored.size + this.charsets.size);
    this.bytes = columns.path.reduce((sum, path) => sum + 40 + bytesOfText(path), sparse);
  }

  /** @param files in any order, with unique paths */
  static of(files: readonly IndexedFile[]): ArchiveIndex {
    const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return new ArchiveIndex({
      path: sorted.map(({ path }) => path),
      offset: sorted.map(({ offset }) => offset),
      compressedSize: sorted.map(({ compressedSize }) => compressedSize),
      size: sorted.map(({ size }) => size),
      crc32: sorted.map(({ crc32 }) => crc32),
      stored: sorted.flatMap(({ method }, index) => (method === 'stored' ? [index] : [])),
      charsets: indicesByCharset(sorted),
    });
  }

  /** Parses the result of `toString`; undefined when it is damaged, truncated, or in another format. */
  static parse(text: string): ArchiveIndex | undefined {
    const end = text.indexOf('\n');
    const json = text.slice(end + 1);
    if (end < 0 || text.slice(0, end) !== headOf(json)) return undefined;
    return new ArchiveIndex(JSON.parse(json));
  }

  toString(): string {
    const json = JSON.stringify(this.columns);
    return `${headOf(json)}\n${json}`;
  }

  /** Number of files. */
  get size(): number {
    return this.columns.path.length;
  }

  /** All files, sorted by path. */
  get files(): readonly IndexedFile[] {
    return this.columns.path.map((_, index) => this.at(index));
  }

  /** Paths of all files, sorted. */
  get paths(): readonly string[] {
    return this.columns.path;
  }

  /** Size and CRC-32 of each file, as one text, by path. */
  get checksums(): ReadonlyMap<string, string> {
    const { path, size, crc32 } = this.columns;
    return new Map(path.map((name, index) => [name, `${size[index]}-${crc32[index]}`]));
  }

  find(path: string): IndexedFile | undefined {
    const index = this.firstFrom(path);
    return this.columns.path[index] === path ? this.at(index) : undefined;
  }

  /** Whether there are files in this directory, or below it. */
  hasDirectory(path: string): boolean {
    const start = path === '' ? '' : `${path}/`;
    return path === '' || this.columns.path[this.firstFrom(start)]?.startsWith(start) === true;
  }

  /** Index of the first path that is not before this one; the number of paths when there is none. */
  private firstFrom(path: string): number {
    const paths = this.columns.path;
    let low = 0;
    let high = paths.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((paths[middle] ?? '') < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private at(index: number): IndexedFile {
    const [offset = 0, compressedSize = 0, size = 0, crc32 = 0] = NUMBERS.map(
      (name) => this.columns[name][index],
    );
    const method = this.stored.has(index) ? 'stored' : 'deflated';
    const charset = this.charsets.get(index);
    const path = this.columns.path[index] ?? '';
    const file = { path, offset, compressedSize, size, method, crc32 } as const;
    return charset === undefined ? file : { ...file, charset };
  }
}

/** Indices of the files in each charset but UTF-8; undefined when there are none. */
function indicesByCharset(files: readonly IndexedFile[]): Columns['charsets'] {
  const byCharset = new Map<string, number[]>();
  for (const [index, { charset }] of files.entries()) {
    if (charset !== undefined) listIn(byCharset, charset).push(index);
  }
  return byCharset.size === 0 ? undefined : Object.fromEntries(byCharset);
}

/** Returns the first line. The checksum detects damage by a power cut: wrong offsets would send other files. */
function headOf(json: string): string {
  return `${FORMAT} ${checksumOf(json)}`;
}
