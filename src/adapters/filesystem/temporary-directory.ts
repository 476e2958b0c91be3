import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fateOf, ownerOf, thisProcess } from './housekeeping/process-identity.js';

const PREFIX = 'lectern-';
/** A dangling link that names the process, as the lease of a server does. */
const OWNER = 'owner';

/**
 * Makes a directory below `parent` that nobody else can read or write, and removes those that killed processes of this
 * user have left there. The caller removes it at the end. Sync: it is made before anything else, and once.
 * @throws an error of the disk
 */
export function temporaryDirectory(parent: string): string {
  const directory = mkdtempSync(join(parent, PREFIX));
  symlinkSync(JSON.stringify(thisProcess(inodeOf(directory))), join(directory, OWNER));
  removeAbandoned(parent);
  return directory;
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const directory = join(parent, name);
    try {
      if (isAbandoned(directory)) rmSync(directory, { recursive: true, force: true });
    } catch {
      // It is another user's, is just being removed, or is none of these directories: it stays.
    }
  }
}

/** Whether the process that made a directory is dead. @throws when the owner's link is missing: the directory may be new */
function isAbandoned(directory: string): boolean {
  const stats = lstatSync(directory);
  const isOwn = process.geteuid === undefined || stats.uid === process.geteuid();
  if (!stats.isDirectory() || !isOwn) return false;
  const self = thisProcess(inodeOf(directory));
  const owner = ownerOf(readlinkSync(join(directory, OWNER)));
  // Otherwise somebody has made or copied it, and may need it.
  return owner.directory === self.directory && fateOf(owner, self) === 'dead';
}

function inodeOf(directory: string): string {
  return String(lstatSync(directory, { bigint: true }).ino);
}
