// Compiles src/ into dist/, and copies what the compiler leaves alone. dist/ changes only when all went well.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeBrowserModules } from './browser-modules.mjs';
import { writeClientFile } from './client-file.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const fresh = `dist.${process.pid}`;
const compiler = 'node_modules/typescript/bin/tsc';
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh, '--noEmitOnError'],
  { stdio: 'inherit' },
);
if (status === 0) {
  await writeBrowserModules();
  cpSync('src/adapters/web/public', `${fresh}/adapters/web/public`, { recursive: true });
  await writeClientFile(`${fresh}/adapters/web/public/-/client.mjs`);
  chmodSync(`${fresh}/main.js`, 0o755);
  rmSync('dist', { recursive: true, force: true });
  renameSync(fresh, 'dist');
} else {
  rmSync(fresh, { recursive: true, force: true });
  process.exitCode = 1;
}
