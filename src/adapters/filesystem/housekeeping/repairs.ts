import { readdir, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { type ArchiveLimits, type Archives, NO_ARCHIVE_LIMITS } from '../../../application/index.js';
import { parseDirectoryName } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { unless } from '../../../node/system-errors.js';
import { parseRecord } from '../catalogue/read-generation.js';
import { NOTHING_THERE, writeNewFile } from '../disk.js';
import type { Generation } from '../layout.js';
import { Publisher, Superseded } from '../publishing/publisher.js';
import { FilesystemStaging } from '../publishing/staging.js';
import { assertSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';

/**
 * Makes a new generation from the archive and the record of another one, or of what is kept of it.
 * @returns a staging that only has to be published
 */
export async function restage(
  tools: Tools,
  archives: Pick<Archives, 'unpack'>,
  { archive, record }: Pick<Generation, 'archive' | 'record'>,
  limits: ArchiveLimits,
  revise: (record: string) => string = (text) => text,
): Promise<FilesystemStaging> {
  const { disk } = tools;
  const staging = await FilesystemStaging.create(tools);
  try {
    await disk.link(archive, staging.generation.archive);
    await staging.prepare(archives, limits);
    const text = await unless(NOTHING_THERE, readFile(record, 'utf8'));
    if (text !== undefined) await writeNewFile(disk, staging.generation.record, revise(text));
    await syncDirectory(disk, staging.generation.directory);
    return staging;
  } catch (error) {
    await staging.discard();
    throw error;
  }
}

/**
 * Unpacks a damaged site again, into a new generation. Does nothing when the version was replaced or removed meanwhile.
 */
export async function repairSite(
  tools: Tools,
  archives: Pick<Archives, 'unpack'>,
  directoryName: string,
  damaged: Generation,
): Promise<void> {
  const id = parseDirectoryName(directoryName);
  if (id === undefined) return;
  const staging = await restage(tools, archives, damaged, NO_ARCHIVE_LIMITS);
  try {
    await tools.locks.run(directoryName, async () => {
      await assertSpelling(tools, id);
      await new Publisher(tools).publish(staging, id, { replace: true, over: basename(damaged.directory) });
    });
  } catch (error) {
    await staging.discard();
    if (!(error instanceof Superseded)) throw error;
  }
}

/**
 * Sets a dangling pointer to the newest complete generation. A copy of the docs directory that was made during a
 * replacement may hold the old generation and the new pointer.
 * @returns whether the pointer was repaired
 */
export async function repairPointer(tools: Tools, directoryName: string): Promise<boolean> {
  const { layout, pointers, report } = tools;
  const id = parseDirectoryName(directoryName);
  if (id === undefined || (await pointers.entryOf(directoryName)).kind !== 'dangling') return false;
  let newest = { publishedAt: new Date(0), name: '' };
  for (const name of (await unless(NOTHING_THERE, readdir(layout.generations(directoryName)))) ?? []) {
    const { archive, record } = layout.generation(directoryName, name);
    const known = parseRecord((await unless(NOTHING_THERE, readFile(record, 'utf8'))) ?? '', id);
    const stats = await unless(NOTHING_THERE, stat(archive));
    if (known === undefined || stats?.size !== known.archive.size) continue;
    if (known.publishedAt > newest.publishedAt) newest = { publishedAt: known.publishedAt, name };
  }
  if (newest.name === '') return false;
  await pointers.replace(layout.pointer(directoryName), layout.pointerTarget(directoryName, newest.name));
  report('a version lost its files; serving its earlier state', { version: directoryName });
  return true;
}
