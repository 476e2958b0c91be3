import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Archives, NO_ARCHIVE_LIMITS } from '../../../application/index.js';
import { parseDirectoryName } from '../../../domain/index.js';
import { NOTHING_THERE, syncDirectory, unless, writeNewFile } from '../disk.js';
import type { Generation } from '../layout.js';
import { Publisher, Superseded } from '../publishing/publisher.js';
import { FilesystemStaging } from '../publishing/staging.js';
import type { Tools } from '../tools.js';

/**
 * Unpacks a damaged site again, into a new generation. Does nothing when the version was replaced or removed meanwhile.
 */
export async function restore(
  tools: Tools,
  archives: Pick<Archives, 'unpack'>,
  directoryName: string,
  damaged: Generation,
): Promise<void> {
  const { disk } = tools;
  const id = parseDirectoryName(directoryName);
  if (id === undefined) return;
  const staging = await FilesystemStaging.create(tools);
  try {
    await disk.link(damaged.archive, staging.generation.archive);
    await staging.prepare(archives, NO_ARCHIVE_LIMITS);
    const record = await unless(NOTHING_THERE, readFile(damaged.record, 'utf8'));
    if (record !== undefined) await writeNewFile(disk, staging.generation.record, record);
    await syncDirectory(disk, staging.generation.directory);
    await new Publisher(tools).publish(staging, id, { replace: true, over: basename(damaged.directory) });
  } catch (error) {
    await staging.discard();
    if (!(error instanceof Superseded)) throw error;
  }
}
