import type { Disk } from './disk.js';

/**
 * Removes a directory with all that is in it, away from the main thread and from Node's thread pool.
 * @throws when it could not, for whatever reason: something may be left
 */
export type RemoveTree = (directory: string) => Promise<void>;

/**
 * A disk that has whole directories removed elsewhere. Removing the ten thousand files of a large site keeps all four
 * threads of Node's pool busy, each of them with the same claim to a processor as the thread that answers readers.
 */
export function removingElsewhere(disk: Disk, removeTree: RemoveTree): Disk {
  return {
    ...disk,
    rm: async (path, options) => {
      const isDone =
        options?.recursive === true &&
        (await removeTree(String(path)).then(
          () => true,
          () => false,
        ));
      // What cannot be done there is done here, or fails here and says why.
      if (!isDone) await disk.rm(path, options);
    },
  };
}
