import { readdir } from 'node:fs/promises';
import {
  isCopiedInName,
  isSameFolded,
  parseDirectoryName,
  refuseSpelling,
  type VersionId,
  whyNotSpelled,
} from '../../domain/index.js';
import { unless } from '../../node/system-errors.js';
import { NOTHING_THERE } from './disk.js';
import type { Tools } from './tools.js';

/**
 * The entry of a directory that the file system takes for `name` despite its other spelling; undefined when there is
 * none. Only a listing shows it: all other calls accept any spelling.
 * @throws an error with an errno code
 */
export async function otherSpelling(
  { foldsCase }: Tools,
  directory: string,
  name: string,
): Promise<string | undefined> {
  if (!foldsCase) return undefined;
  const names = (await unless(NOTHING_THERE, readdir(directory))) ?? [];
  return names.includes(name) ? undefined : names.find((other) => isSameFolded(other, name));
}

/**
 * Asserts that a version's name does not clash with those in the docs directory. Under the version's lock no other
 * process can add one that does.
 * @throws Refusal of `refuseSpelling` or `whyNotSpelled`
 */
export async function assertSpelling(tools: Tools, id: VersionId): Promise<void> {
  if (!tools.foldsCase) return;
  const { layout, pointers } = tools;
  const names = await readdir(layout.root);
  const inTheWay = names.find((name) => name !== id.directoryName && isSameFolded(name, id.directoryName));
  if (inTheWay !== undefined) throw refuseSpelling(id, inTheWay);
  const existing: VersionId[] = [];
  for (const name of names) {
    const other = parseDirectoryName(name);
    if (other === undefined || !isSameFolded(other.project, id.project)) continue;
    if (isCopiedInName(name) || (await pointers.currentGeneration(name)) !== undefined) existing.push(other);
  }
  const why = whyNotSpelled(id, existing);
  if (why !== undefined) throw why;
}
