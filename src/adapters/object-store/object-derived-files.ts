import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { assertDerived, type DerivedFiles, type StoredFile } from '../../application/index.js';
import { rangedFile } from './archives/archived-file.js';
import type { ObjectClient } from './client/object-client.js';
import { StoreRefused } from './client/store-errors.js';
import { keys } from './keys.js';
import { refusalOf } from './refusals.js';

const RANGE_NOT_SATISFIABLE = 416;

/** Files derived from publications, an object each. Files of removed publications are cleared with their archives. */
export class ObjectDerivedFiles implements DerivedFiles {
  constructor(
    private readonly client: ObjectClient,
    /** Local directory for files that are being written. */
    private readonly incoming: string,
    private readonly isPublished: (revision: string) => boolean,
  ) {}

  async open(revision: string, name: string): Promise<StoredFile | undefined> {
    assertDerived(revision, name);
    if (!this.isPublished(revision)) return undefined;
    const key = keys.derived(revision, name);
    const found = await this.sizeOf(key);
    if (found === undefined) return undefined;
    const { size, etag } = found;
    return rangedFile({ size, etag, modifiedAt: new Date(0) }, (range) => this.read(key, range));
  }

  async write(revision: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    assertDerived(revision, name);
    // The store wants to know the size beforehand.
    const path = join(this.incoming, `derived-${randomUUID()}`);
    try {
      await pipeline(content, createWriteStream(path, { flags: 'wx' }));
      const { size } = await stat(path);
      await this.client.put(keys.derived(revision, name), { path, size });
    } finally {
      await rm(path, { force: true });
    }
  }

  private async *read(key: string, range: { start: number; end: number }): AsyncGenerator<Uint8Array> {
    try {
      const object = await this.client.get(key, range);
      if (object === undefined) throw new Error(`${key} was removed while it was read`);
      yield* object.body;
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private async sizeOf(key: string): Promise<{ readonly size: number; readonly etag: string } | undefined> {
    try {
      // The size comes with any range.
      const object = await this.client.get(key, { start: 0, end: 0 });
      for await (const _ of object?.body ?? []);
      return object;
    } catch (error) {
      if (error instanceof StoreRefused && error.status === RANGE_NOT_SATISFIABLE)
        return { size: 0, etag: 'empty' };
      throw error;
    }
  }
}
