import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Library = ReturnType<typeof library>;

/**
 * Returns the files of a package that a page loads, with its license.
 * @param files paths in the package; the first is the script
 */
function library(name: string, files: readonly [string, ...string[]]) {
  const directory = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    version: string;
  };
  // The address changes with the version, so browsers may cache the files.
  const path = `/-/assets/${name}-${version}/`;
  return { name, directory, files, path, script: path + files[0] };
}

/** Zip library of the upload page, which packs folders. */
export const zipWriter = library('jszip', ['dist/jszip.min.js', 'LICENSE.markdown']);

/** All libraries. Only the upload page uses them. */
export const libraries = [zipWriter];
