import { mkdir } from 'node:fs/promises';
import { unless } from './system-errors.js';

/**
 * Makes a directory, if nothing is there. Not those above it: where these are away, such as an unmounted disk, they must not
 * be made anew.
 */
export async function makeDirectory(directory: string, mode?: number): Promise<void> {
  await unless(['EEXIST'], mkdir(directory, mode === undefined ? {} : { mode }));
}
