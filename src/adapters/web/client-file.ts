import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicDirectory } from './public-directory.js';

/** The client as one file, `/-/client.mjs`. */
export interface ClientFile {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Returns what is known of the client's file, which `scripts/build.mjs` makes; undefined where it was not built. */
export function clientFile(): ClientFile | undefined {
  const path = join(publicDirectory, '-/client.mjs');
  if (!existsSync(path)) return undefined;
  const content = readFileSync(path);
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}
