import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReceivedArchive } from '../application/ports/doc-store.js';
import { refuse } from '../domain/index.js';
import { type RefusalOf, refusing } from './system-errors.js';

/**
 * Writes and hashes an archive as a stream. The caller closes the file.
 * @throws Refusal `upload_too_large` as soon as more than `maxBytes` have arrived
 */
export async function receiveArchive(
  file: Pick<FileHandle, 'writeFile'>,
  content: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<ReceivedArchive> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > maxBytes) throw refuse.uploadTooLarge(maxBytes, size);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Receives an archive into a new file. @throws what `receiveArchive` throws */
export async function receiveArchiveAt(
  path: string,
  content: AsyncIterable<Uint8Array>,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<ReceivedArchive> {
  const file = await open(path, 'wx');
  try {
    return await receiveArchive(file, content, maxBytes);
  } finally {
    await file.close();
  }
}

/** An upload in a local directory of its own, until it is published elsewhere or discarded. All methods throw refusals. */
export class LocalStaging {
  readonly archiveFile: string;

  /** @param open the stagings of a store that are not discarded yet: it discards them when it is closed */
  constructor(
    readonly directory: string,
    private readonly open: Set<LocalStaging>,
    protected readonly refusalOf: RefusalOf,
  ) {
    this.archiveFile = join(directory, 'archive.zip');
    open.add(this);
  }

  receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    return refusing(this.refusalOf, () => receiveArchiveAt(this.archiveFile, content, maxBytes));
  }

  async discard(): Promise<void> {
    await refusing(this.refusalOf, () => rm(this.directory, { recursive: true, force: true }));
    this.open.delete(this);
  }
}
