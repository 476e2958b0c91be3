// Bundles the sources that browsers run: /-/assets/archive-names.js, which the upload page imports. It is written beside the
// scripts that are no bundles, so that whoever serves or copies these has it, too.
import { build } from 'esbuild';

export async function writeBrowserModules() {
  await build({
    // esbuild would take the directory in which it was loaded.
    absWorkingDir: process.cwd(),
    entryPoints: ['src/adapters/web/archive-names.ts'],
    outdir: 'src/adapters/web/public/-/assets',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  });
}
