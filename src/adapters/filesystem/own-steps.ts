import type { PathLike } from 'node:fs';
import { dirname } from 'node:path';
import type { CatalogueKeeper } from './catalogue-keeper.js';
import type { Disk } from './disk.js';

/** A disk that tells the catalogue which changes to the docs directory itself are this process's own. */
export function withOwnSteps(disk: Disk, root: string, keeper: Pick<CatalogueKeeper, 'step'>): Disk {
  const step = <T>(paths: readonly PathLike[], make: () => Promise<T>) =>
    paths.some((path) => dirname(String(path)) === root) ? keeper.step(make) : make();
  return {
    ...disk,
    rename: (...paths) => step(paths, () => disk.rename(...paths)),
    symlink: (...names) => step([names[1]], () => disk.symlink(...names)),
    unlink: (path) => step([path], () => disk.unlink(path)),
  };
}
