import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './cleanup.js';
import { isInstalled } from './machine.js';

/** Max. size of the image, with room for all files of a run; it takes only the space that is written. */
const MAX_BYTES = 24 * 2 ** 30;

/** Directory that measurements write to, and its description. */
export interface Disk {
  readonly directory: string;
  readonly description: string;
}

let disk: Disk | undefined;

/**
 * Returns the disk for every contender of a run: a new ext4 in a file, made as installers make one. Earlier deletions on the
 * machine's own disk must not matter: on an ext4 without a journal, files are made up to four times more slowly for minutes
 * afterwards. Without root or the programs for it: the directory for temporary files.
 */
export function measuredDisk(): Disk {
  disk ??= madeDisk() ?? { directory: tmpdir(), description: 'the disk for temporary files' };
  return disk;
}

function madeDisk(): Disk | undefined {
  if (process.getuid?.() !== 0 || !['mkfs.ext4', 'mount'].every(isInstalled)) return undefined;
  const home = mkdtempSync(join(tmpdir(), 'lectern-bench-disk-'));
  atExit(() => rmSync(home, { recursive: true, force: true }));
  const image = join(home, 'image');
  const directory = join(home, 'mounted');
  try {
    const { bavail, bsize } = statfsSync(home);
    writeFileSync(image, '');
    truncateSync(image, Math.min(MAX_BYTES, bavail * bsize));
    mkdirSync(directory);
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    execFileSync('mkfs.ext4', ['-q', '-F', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image], { env });
    // Background writes would disturb a measurement.
    execFileSync('mount', ['-o', 'loop,noinit_itable', image, directory]);
  } catch (error) {
    console.error(`bench: no file system of its own: ${error}`);
    return undefined;
  }
  // Unmounts at once, even if a process still has a file open there.
  atExit(() => execFileSync('umount', ['--lazy', directory]));
  return { directory, description: 'an ext4 of its own' };
}
