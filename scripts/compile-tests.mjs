// Compiles the tests, with the sources that they import, into dist.tests/: once, not again in every test's process.
// Stack traces point to the sources with `node --enable-source-maps`. The types are for `npm run typecheck`.
import { spawnSync } from 'node:child_process';
import { cpSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeBrowserModules } from './browser-modules.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const fresh = `dist.${process.pid}`;
const compiler = 'node_modules/typescript/bin/tsc';
const options = ['--noCheck', '--noEmit', 'false', '--inlineSourceMap', '--rootDir', '.', '--outDir', fresh];
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json', ...options], {
  stdio: 'inherit',
});
if (status === 0) {
  await writeBrowserModules();
  cpSync('src/adapters/web/public', `${fresh}/src/adapters/web/public`, { recursive: true });
  rmSync('dist.tests', { recursive: true, force: true });
  renameSync(fresh, 'dist.tests');
} else {
  rmSync(fresh, { recursive: true, force: true });
  process.exitCode = 1;
}
