import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Why nothing can be mounted here; undefined when it can. On CI that would be a failure, not a reason. */
export async function whyNoMounts(): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-mount-'));
  try {
    await mountTmpfs(directory, 'size=64k');
    await unmount(directory);
    return undefined;
  } catch (error) {
    if (process.env.CI !== undefined) throw error;
    return 'mounting needs root and its rights';
  } finally {
    await rm(directory, { recursive: true });
  }
}

export async function mountTmpfs(directory: string, options: string): Promise<void> {
  await execute('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', directory]);
}

export async function mountAgain(source: string, directory: string): Promise<void> {
  await execute('mount', ['--bind', source, directory]);
}

export async function remount(directory: string, mode: 'ro' | 'rw'): Promise<void> {
  await execute('mount', ['-o', `remount,bind,${mode}`, directory]);
}

export async function unmount(directory: string): Promise<void> {
  await execute('umount', ['-l', directory]);
}
