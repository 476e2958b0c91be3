import { execFileSync } from 'node:child_process';

/** Makes directories that not even root can write to, the first of which holds the others; false where root may not mount. */
export function protect(...directories: readonly [string, ...string[]]): boolean {
  if (process.getuid?.() !== 0) {
    execFileSync('chmod', ['555', ...directories]);
    return true;
  }
  const [outer] = directories;
  try {
    execFileSync('mount', ['--bind', outer, outer], { stdio: 'ignore' });
    execFileSync('mount', ['-o', 'remount,bind,ro', outer], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function unprotect(...directories: readonly [string, ...string[]]): void {
  if (process.getuid?.() === 0) execFileSync('umount', [directories[0]]);
  else execFileSync('chmod', ['755', ...directories]);
}
