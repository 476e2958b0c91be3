// The package's tarball, made in a directory of its own, so that nothing of the work tree gets in or changes.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { editJson } from './edit-json.mjs';
import { git } from './git.mjs';

/**
 * Runs `npm pack` with its scripts.
 * @param {string} project a copy of the project without node_modules
 * @param {string} libraries the node_modules to use
 * @param {string} place directory for the tarball
 * @returns {{ path: string, files: string[] }} the tarball, and what it holds below `package/`
 */
export function packProject(project, libraries, place) {
  symlinkSync(libraries, join(project, 'node_modules'));
  const words = ['pack', '--json', '--pack-destination', place];
  const answer = execFileSync('npm', words, {
    cwd: project,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [{ filename, files }] = JSON.parse(answer);
  return { path: join(place, filename), files: files.map(({ path }) => path) };
}

/** Copies the files of the commit that is checked out in the current directory. */
export function exportCommit(project) {
  mkdirSync(project);
  execFileSync('tar', ['-x', '-C', project], { input: git('archive', 'HEAD') });
}

/**
 * Sets what the registry needs to know, in a copy of the project.
 * @param {{ name?: string, repository?: string }} told the package's name with its scope, and the address of the
 *   repository, which a registry compares with the one that a provenance was made for
 */
export function setOrigin(project, { name, repository }) {
  if (name) {
    editJson(join(project, 'package-lock.json'), (lock) => {
      lock.name = name;
      lock.packages[''].name = name;
    });
  }
  editJson(join(project, 'package.json'), (manifest) => {
    if (name) manifest.name = name;
    if (repository) manifest.repository = { type: 'git', url: `git+${repository}.git` };
  });
}
