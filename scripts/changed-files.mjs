// Lists files that changed according to Git: against the commit from which the branch left `main`, with uncommitted changes.
import { spawnSync } from 'node:child_process';

/**
 * Returns the paths of files that were changed, added or deleted, and what they are compared with.
 * @param {string} [since] a commit to compare with instead
 * @returns {{ paths: string[], base: string }}
 */
export function changedFiles(since) {
  if (since !== undefined) {
    const commit = git('rev-parse', '--verify', '--quiet', `${since}^{commit}`);
    if (commit === undefined) throw new Error(`there is no commit ${since}`);
    return { paths: differingFrom(commit), base: since };
  }
  const head = git('rev-parse', '--verify', '--quiet', 'HEAD');
  if (head === undefined) throw new Error('there is no commit to compare with: run npm test instead');
  const fork = ['main', 'origin/main'].map((main) => git('merge-base', 'HEAD', main)).find(Boolean);
  if (fork === undefined) throw new Error('there is no branch main to compare with: add --since=<commit>');
  const paths = differingFrom(fork);
  if (fork !== head || paths.length > 0) return { paths, base: `${fork.slice(0, 8)}, which main has` };
  // On `main` itself, with everything committed.
  const parent = git('rev-parse', '--verify', '--quiet', 'HEAD~1');
  if (parent === undefined) throw new Error('there is no commit before this one: run npm test instead');
  return { paths: differingFrom(parent), base: 'HEAD~1' };
}

/** Includes uncommitted changes, and new files that are not ignored. A moved file is listed twice: deleted, and added. */
function differingFrom(commit) {
  const changed = git('diff', '--name-only', '--no-renames', '-z', commit);
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  if (changed === undefined || added === undefined) throw new Error('git could not say what is changed');
  return [...new Set(`${changed}${added}`.split('\0'))].filter(Boolean).sort();
}

/** Returns what git prints, or undefined where it fails or is not there. */
function git(...words) {
  const { status, stdout } = spawnSync('git', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.replace(/\n$/, '') : undefined;
}
