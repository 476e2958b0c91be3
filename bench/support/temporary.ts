import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { atExit } from './cleanup.js';
import { measuredDisk } from './disk.js';

/** A new directory that goes with this process; `where` decides on which file system. */
export function temporaryDirectory(purpose: string, where = measuredDisk().directory): string {
  const directory = mkdtempSync(join(where, `lectern-bench-${purpose}-`));
  atExit(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
