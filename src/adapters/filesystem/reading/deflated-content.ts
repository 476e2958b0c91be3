import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { EncodedFile, StoredFile } from '../../../application/index.js';
import {
  ArchiveIndex,
  GZIP_HEADER,
  GZIP_TRAILER_BYTES,
  gzipTrailerOf,
  type IndexedFile,
} from '../../../formats/index.js';
import { NOTHING_THERE, unless } from '../disk.js';
import type { Generation } from '../layout.js';
import type { Report } from '../report.js';
import { openEntry } from './stored-file.js';

/** Max. files in the cached indexes: some 110 bytes each, so 20 MB. */
const MAX_FILES = 200_000;
/** Min. share of a file's size that its deflated form must save to be worth opening the archive. */
const MIN_SAVED = 0.1;
const EMPTY = ArchiveIndex.of([]);

/** Max. archives that are known to be damaged. */
const MAX_DAMAGED = 10_000;

/** Gzip encodings of files that their archive holds deflated: its data between a gzip header and trailer. */
export class DeflatedContent {
  /** ETags of archives that turned out to be damaged, by generation directory. */
  private readonly damaged = new LRUCache<string, string>({ max: MAX_DAMAGED });
  /** By generation directory. */
  private readonly indexes = new LRUCache<string, ArchiveIndex>({
    maxSize: MAX_FILES,
    sizeCalculation: ({ size }) => 1 + size,
  });

  constructor(private readonly report: Report) {}

  /** @returns undefined when the archive holds the file in another form, is known to be damaged, or cannot be read */
  async open(generation: Generation, path: string): Promise<EncodedFile | undefined> {
    try {
      const file = deflatedIn(await this.indexOf(generation), path);
      if (file === undefined) return undefined;
      const archive = await openEntry(generation.archive);
      if (archive?.kind !== 'file') return undefined;
      const { etag } = archive.file;
      // One that was put back from a backup has another ETag.
      if (this.damaged.get(generation.directory) !== etag) {
        return new GzipFile(archive.file, file, () => this.distrust(generation, path, etag));
      }
      await archive.file.close();
      return undefined;
    } catch {
      // Archive gone, or no descriptors left: the caller compresses the file itself.
      return undefined;
    }
  }

  /** Checksums of the archive's files; undefined without an index. */
  async checksums(generation: Generation): Promise<ReadonlyMap<string, string> | undefined> {
    const index = await this.indexOf(generation);
    return index.size === 0 ? undefined : index.checksums;
  }

  private distrust({ directory, archive }: Generation, path: string, etag: string): void {
    if (this.damaged.get(directory) === etag) return;
    this.damaged.set(directory, etag);
    this.report(
      'an archive is damaged; gzip is made from the unpacked files until it is put back: see lectern verify',
      { version: basename(dirname(directory)), archive, path },
    );
  }

  private async indexOf({ directory, index }: Generation): Promise<ArchiveIndex> {
    const known = this.indexes.get(directory);
    if (known !== undefined) return known;
    const text = await unless(NOTHING_THERE, readFile(index, 'utf8'));
    const read = (text && ArchiveIndex.parse(text)) || EMPTY;
    this.indexes.set(directory, read);
    return read;
  }
}

/** The entry of a file whose deflated form is worth sending as gzip. */
function deflatedIn(index: ArchiveIndex, path: string): IndexedFile | undefined {
  const file = index.find(path);
  const isWorthIt = file?.method === 'deflated' && file.compressedSize < (1 - MIN_SAVED) * file.size;
  return isWorthIt ? file : undefined;
}

/** A gzip member whose data is read from an archive. */
class GzipFile implements EncodedFile {
  readonly size: number;

  constructor(
    private readonly archive: StoredFile,
    private readonly file: IndexedFile,
    readonly distrust: () => void,
  ) {
    this.size = GZIP_HEADER.length + file.compressedSize + GZIP_TRAILER_BYTES;
  }

  async *stream(): AsyncIterable<Uint8Array> {
    const { offset, compressedSize } = this.file;
    try {
      yield GZIP_HEADER;
      yield* this.archive.stream({ start: offset, end: offset + compressedSize - 1 });
      yield gzipTrailerOf(this.file);
    } finally {
      await this.close();
    }
  }

  close(): Promise<void> {
    return this.archive.close();
  }
}
