import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Files of a package that a page loads, with what their license asks for.
 * @param files paths in the package; the first is the script
 */
function library(name: string, files: readonly [string, ...string[]]) {
  // The build copies what is no dependency of the installed program to the folder beside this module.
  const copied = fileURLToPath(new URL(`./libraries/${name}`, import.meta.url));
  const directory = existsSync(copied)
    ? copied
    : dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The address changes with the version, so browsers may keep the files.
  const path = `/-/assets/${name}-${version}/`;
  return { name, directory, files, path, script: path + files[0] };
}

/** The renderer of the API reference. Its style sheet is not served: `api.css` dresses its elements. */
export const renderer = library('swagger-ui-dist', [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
  'package.json',
]);

/** The writer of zip archives that the upload page packs folders with. */
export const zipWriter = library('jszip', ['dist/jszip.min.js', 'LICENSE.markdown']);

/** The libraries of the pages that take a token; no other page has one. */
export const libraries = [renderer, zipWriter];
