import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { type Archives, type ByteRange, NO_ARCHIVE_LIMITS, textOf } from '../../../application/index.js';
import { refuse, type Version } from '../../../domain/index.js';
import { ArchiveIndex } from '../../../formats/index.js';
import { archiveIndexes } from '../../../node/archived-content.js';
import type { ObjectClient } from '../client/object-client.js';
import { keys } from '../keys.js';
import { refusalOf } from '../refusals.js';
import type { ArchiveCache } from './archive-cache.js';
import type { ReadableArchive } from './archived-file.js';

/** Max. bytes of a range that is read at once, without another thread: a page. */
const MAX_SMALL_BYTES = 64 * 1024;
/** Bytes read from a cached archive at a time. */
const CHUNK_BYTES = 256 * 1024;

const read = promisify(fs.read) as (
  descriptor: number,
  into: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => Promise<{ bytesRead: number }>;

/** Reads archives of published versions and their indexes: from memory, the local cache, or the store. */
export class ArchiveFiles {
  /** Keyed by revision. */
  private readonly indexes = archiveIndexes();

  /** Indexes that are being read, by revision: the first readers of a version share one. */
  private readonly coming = new Map<string, Promise<ArchiveIndex | undefined>>();

  constructor(
    private readonly client: ObjectClient,
    private readonly cache: ArchiveCache,
    private readonly archives: Pick<Archives, 'index'>,
    /** Throws while the store is known to be out of reach. */
    private readonly assertInReach: () => void,
  ) {}

  /**
   * Returns the index of a version's archive, which is rebuilt when it is missing or damaged, or when the store is out of reach
   * and the archive is cached.
   * @returns undefined when the archive no longer exists
   */
  async indexOf(version: Version): Promise<ArchiveIndex | undefined> {
    const { revision } = version;
    const known = this.indexes.get(revision);
    if (known !== undefined) return known;
    const coming =
      this.coming.get(revision) ?? this.fetchIndex(version).finally(() => this.coming.delete(revision));
    this.coming.set(revision, coming);
    return coming;
  }

  private async fetchIndex(version: Version): Promise<ArchiveIndex | undefined> {
    const index =
      (await this.storedIndex(version).catch((error) => this.cachedIndex(version, error))) ??
      (await this.newIndex(version));
    if (index !== undefined) this.indexes.set(version.revision, index);
    return index;
  }

  /** Keeps the index of an archive that this node has just published. */
  remember(revision: string, index: ArchiveIndex): void {
    this.indexes.set(revision, index);
  }

  /** Forgets a purged archive. */
  forget(revision: string): void {
    this.indexes.delete(revision);
    this.cache.drop(revision);
  }

  /** Returns the archive of a version, to read files from. */
  archiveOf(version: Version): ReadableArchive {
    const { revision, record } = version;
    return {
      revision,
      publishedAt: record.publishedAt,
      read: (range) => this.read(version, range),
      distrust: () => this.cache.drop(revision),
    };
  }

  /** @throws the refusal of what fails: the answer to a reader has begun, and no method of the store is left to refuse */
  private async *read(version: Version, range: ByteRange): AsyncGenerator<Uint8Array> {
    if (range.end < range.start) return;
    try {
      const cached = this.cache.open(version);
      if (cached !== undefined) return yield* rangeOf(cached, range);
      this.assertInReach();
      const object = await this.client.get(keys.archive(version.revision), range);
      if (object === undefined) throw refuse.versionNotFound(version.project, version.label);
      yield* object.body;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private async storedIndex({ revision }: Version): Promise<ArchiveIndex | undefined> {
    this.assertInReach();
    const object = await this.client.get(keys.index(revision));
    return object && ArchiveIndex.parse(await textOf(object.body));
  }

  /** Makes the index from the cached archive. @throws `storeError` when it is not cached */
  private async cachedIndex(version: Version, storeError: unknown): Promise<ArchiveIndex> {
    const path = await this.cache.pathOf(version);
    if (path === undefined) throw storeError;
    return (await this.archives.index(path, NO_ARCHIVE_LIMITS)).index;
  }

  private async newIndex(version: Version): Promise<ArchiveIndex | undefined> {
    const file = await this.cache.copyOf(version);
    if (file === undefined) return undefined;
    try {
      const { index } = await this.archives.index(file.path, NO_ARCHIVE_LIMITS);
      // Not written by a node that may only read: the next one makes it again.
      await this.client.put(keys.index(version.revision), Buffer.from(index.toString())).catch(() => {});
      return index;
    } finally {
      await file.dispose();
    }
  }
}

/** The bytes of a range of an open file, which is closed at the end. */
async function* rangeOf(descriptor: number, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const isSmall = end - start < MAX_SMALL_BYTES;
  try {
    for (let at = start; at <= end; ) {
      const length = Math.min(CHUNK_BYTES, end + 1 - at);
      const bytes = Buffer.allocUnsafe(length);
      const bytesRead = isSmall
        ? fs.readSync(descriptor, bytes, 0, length, at)
        : (await read(descriptor, bytes, 0, length, at)).bytesRead;
      if (bytesRead === 0) throw new Error('a cached archive ends too early');
      at += bytesRead;
      yield bytes.subarray(0, bytesRead);
    }
  } finally {
    fs.closeSync(descriptor);
  }
}
