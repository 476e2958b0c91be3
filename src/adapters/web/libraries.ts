import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Library = ReturnType<typeof library>;

/**
 * Returns the files of a package that a page loads, with its license.
 * @param files paths in the package; the first is the script
 */
function library(name: string, files: readonly [string, ...string[]]) {
  // The build copies packages that are no runtime dependency into the folder `libraries`.
  const copied = fileURLToPath(new URL(`./libraries/${name}`, import.meta.url));
  const directory = existsSync(copied)
    ? copied
    : dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The address changes with the version, so browsers may cache the files.
  const path = `/-/assets/${name}-${version}/`;
  return { name, directory, files, path, script: path + files[0] };
}

/** Renderer of the API reference. Its style sheet is not served; `api.css` replaces it. */
export const renderer = library('swagger-ui-dist', [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
  'package.json',
]);

/** Zip library of the upload page, which packs folders. */
export const zipWriter = library('jszip', ['dist/jszip.min.js', 'LICENSE.markdown']);

/** All libraries. Only the pages that take a token use them. */
export const libraries = [renderer, zipWriter];
