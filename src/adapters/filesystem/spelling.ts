import { readdir } from 'node:fs/promises';
import { isSameFolded, refuseSpelling, type VersionId } from '../../domain/index.js';
import type { Tools } from './tools.js';

/**
 * The name in a directory that the file system takes for `name` though it is spelled otherwise; undefined when there
 * is none. Only the list of the directory tells: every other call answers to any spelling.
 * @throws an error with an errno code
 */
export async function otherSpelling(
  { foldsCase }: Tools,
  directory: string,
  name: string,
): Promise<string | undefined> {
  if (!foldsCase) return undefined;
  const names = await readdir(directory);
  return names.includes(name) ? undefined : names.find((other) => isSameFolded(other, name));
}

/**
 * Sees to it that what stands under a version's name in the docs directory is that version, not another project's.
 * @throws Refusal as `refuseSpelling` gives it
 */
export async function assertSpelling(tools: Tools, id: VersionId): Promise<void> {
  const { layout, pointers } = tools;
  if ((await pointers.standing(id.directoryName)) === undefined) return;
  const other = await otherSpelling(tools, layout.root, id.directoryName);
  if (other !== undefined) throw refuseSpelling(id, other);
}
