import type { LocalStore } from '../ports/doc-store.js';

/** Returns the bytes that may be written to a disk; undefined when there is no limit or the free space is unknown. */
export async function freeRoom(
  disk: Pick<LocalStore, 'freeBytes'> | undefined,
  minFreeBytes: number,
): Promise<number | undefined> {
  const free = minFreeBytes === 0 ? undefined : await disk?.freeBytes();
  return free === undefined ? undefined : Math.max(0, free - minFreeBytes);
}
