import { lstat } from 'node:fs/promises';
import { refuse, type VersionId } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/sync-file.js';
import { unless } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';
import { withRollback } from '../publishing/rollback.js';
import { assertSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';

/**
 * Moves a copied-in directory that was removed back to its place, under the version's lock.
 * @param assertExpected throws when it must not be moved
 * @throws Refusal `version_exists` when something is there; no system call replaces a link by a directory
 */
export async function putBack(
  tools: Tools,
  id: VersionId,
  from: string,
  assertExpected: () => Promise<void>,
): Promise<void> {
  const { disk, layout, locks, pointers } = tools;
  const pointer = layout.pointer(id.directoryName);
  return locks.run(id.directoryName, () =>
    withRollback(async (undo) => {
      await assertExpected();
      await assertSpelling(tools, id);
      if ((await pointers.targetOf(id.directoryName)) !== undefined) {
        throw refuse.directoryInTheWay(id.project, id.label);
      }
      undo.push(async () => {
        if ((await unless(NOTHING_THERE, lstat(from))) === undefined) await disk.rename(pointer, from);
      });
      await disk.rename(from, pointer);
      await syncDirectory(disk, layout.root);
    }),
  );
}
