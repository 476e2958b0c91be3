import { execFileSync } from 'node:child_process';

/** Runs git in the current directory, also where another user has checked it out, as in a container of CI. */
export const git = (...words) =>
  execFileSync('git', ['-c', `safe.directory=${process.cwd()}`, ...words], {
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
