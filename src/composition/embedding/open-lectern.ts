import type { Lectern, LecternOptions } from './lectern.js';

/** Opens a docs directory, an object store, or an empty place in memory. @throws OpenError */
export async function openLectern(options: LecternOptions): Promise<Lectern> {
  // Loaded only here: a program that imports this may never open anything.
  const { openWith } = await import('./opened-lectern.js');
  return openWith(options);
}
