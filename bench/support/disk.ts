import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from './cleanup.js';
import { isInstalled } from './machine.js';

/** Room for everything that a run leaves lying about; the image takes only what is written. */
const MAX_BYTES = 24 * 2 ** 30;

/** Where measurements write, and what that is. */
export interface Disk {
  readonly directory: string;
  readonly description: string;
}

let disk: Disk | undefined;

/**
 * The same for every contender of a run: an ext4 made for it, in a file, as installers make one. What was deleted before
 * on the machine's own disk must not matter: on an ext4 without a journal, files are made up to four times more slowly
 * for minutes afterwards. Without root or the programs for it: the directory for temporary files.
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
    // Nothing is to be written behind the back of a measurement.
    execFileSync('mount', ['-o', 'loop,noinit_itable', image, directory]);
  } catch (error) {
    console.error(`bench: no file system of its own: ${error}`);
    return undefined;
  }
  // At once, whoever still has a file open there.
  atExit(() => execFileSync('umount', ['--lazy', directory]));
  return { directory, description: 'an ext4 of its own' };
}
