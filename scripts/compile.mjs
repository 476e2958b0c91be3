// Compiles with TypeScript into a fresh directory, which replaces the previous one only when all went well.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeBrowserModules } from './browser-modules.mjs';

const FONT = 'node_modules/@fontsource-variable/inter';

/** Copies the Latin letters of Inter, with its licence. The name has the version: browsers keep the file. */
function copyFont(assets) {
  const { version } = JSON.parse(readFileSync(`${FONT}/package.json`, 'utf8'));
  cpSync(`${FONT}/files/inter-latin-wght-normal.woff2`, `${assets}/inter-${version}.woff2`);
  cpSync(`${FONT}/LICENSE`, `${assets}/inter-${version}.LICENSE.txt`);
}

/**
 * Compiles into `target`, and copies the public directory.
 * @param {string} target directory, from the root of the project
 * @param {string[]} options of the compiler
 * @param {string} pages the folder of `adapters/web` in `target`
 * @param {(directory: string) => unknown} finish does the rest in the directory that becomes `target`
 */
export async function compile(target, options, pages, finish = () => {}) {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const fresh = `dist.${process.pid}`;
  const words = ['node_modules/typescript/bin/tsc', ...options, '--outDir', fresh];
  try {
    const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
    if (status !== 0) {
      process.exitCode = 1;
      return;
    }
    await writeBrowserModules();
    cpSync('src/adapters/web/public', `${fresh}/${pages}/public`, { recursive: true });
    copyFont(`${fresh}/${pages}/public/-/assets`);
    await finish(fresh);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
