// Bundles what browsers run of the sources: /-/assets/archive-names.js, which the upload page imports.
import { build } from 'esbuild';

/** @param {string} publicDirectory the directory that is served at the root of the server */
export async function writeBrowserModules(publicDirectory) {
  await build({
    entryPoints: ['src/adapters/web/browser/archive-names.ts'],
    outdir: `${publicDirectory}/-/assets`,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    logLevel: 'warning',
  });
}
