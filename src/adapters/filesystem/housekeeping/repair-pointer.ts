import { readdir, readFile, stat } from 'node:fs/promises';
import { parseDirectoryName } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { parseRecord } from '../catalogue/version-record.js';
import { NOTHING_THERE } from '../disk.js';
import type { Tools } from '../tools.js';

/**
 * Sets a dangling pointer to the newest complete generation. A copy of the docs directory that was made during a
 * replacement may hold the old generation and the new pointer.
 * @returns whether the pointer was repaired
 */
export async function repairPointer(tools: Tools, directoryName: string): Promise<boolean> {
  const { layout, pointers, report } = tools;
  const id = parseDirectoryName(directoryName);
  if (id === undefined || !(await pointers.isDangling(directoryName))) return false;
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
  report('a version had lost its files; an earlier state of it is shown', { version: directoryName });
  return true;
}
