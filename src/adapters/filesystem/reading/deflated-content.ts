import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { EncodedFile } from '../../../application/index.js';
import { LruCache } from '../../../domain/index.js';
import { ArchiveIndex } from '../../../formats/index.js';
import { archiveIndexes, GzipFromArchive, isWorthSending } from '../../../node/archived-content.js';
import { unless } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';
import type { Generation } from '../layout.js';
import type { Report } from '../report.js';
import { openEntry } from './stored-file.js';

const EMPTY = ArchiveIndex.of([]);

/** Max. archives that are known to be damaged. */
const MAX_DAMAGED = 10_000;

/** Gzip encodings of files that their archive holds deflated: its data between a gzip header and trailer. */
export class DeflatedContent {
  /** ETags of archives that turned out to be damaged, by generation directory. */
  private readonly damaged = new LruCache<string>(MAX_DAMAGED);
  /** Keyed by generation directory. */
  private readonly indexes = archiveIndexes();

  constructor(private readonly report: Report) {}

  /** @returns undefined when the archive holds the file in another form, is known to be damaged, or cannot be read */
  async open(generation: Generation, path: string): Promise<EncodedFile | undefined> {
    try {
      const file = (await this.indexOf(generation)).find(path);
      if (file === undefined || !isWorthSending(file)) return undefined;
      const entry = await openEntry(generation.archive);
      if (entry?.kind !== 'file') return undefined;
      const archive = entry.file;
      const { etag } = archive;
      const close = () => archive.close();
      // An archive that was put back from a backup has another ETag.
      if (this.damaged.get(generation.directory) === etag) return void (await close());
      const distrust = () => this.distrust(generation, path, etag);
      return new GzipFromArchive(file, (range) => archive.stream(range), distrust, close);
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
      'an archive is damaged; compressing the unpacked files until it is restored: run lectern verify',
      { version: basename(dirname(directory)), archive, path },
    );
  }

  /** The index of the archive; empty when it cannot be read. */
  async indexOf({ directory, index }: Generation): Promise<ArchiveIndex> {
    const known = this.indexes.get(directory);
    if (known !== undefined) return known;
    const text = await unless(NOTHING_THERE, readFile(index, 'utf8'));
    return this.indexes.set(directory, (text && ArchiveIndex.parse(text)) || EMPTY);
  }
}
