import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedArchive } from '../application/ports/doc-store.js';
import { receiveArchiveAt } from './receive-archive.js';

/** An upload in a local directory of its own, until it is published elsewhere or discarded. */
export class LocalStaging {
  readonly archiveFile: string;

  /** @param open the stagings of a store that are not discarded yet: it discards them when it is closed */
  constructor(
    readonly directory: string,
    private readonly open: Set<LocalStaging>,
  ) {
    this.archiveFile = join(directory, 'archive.zip');
    open.add(this);
  }

  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    return receiveArchiveAt(this.archiveFile, content, maxBytes);
  }

  async discard(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    this.open.delete(this);
  }
}
