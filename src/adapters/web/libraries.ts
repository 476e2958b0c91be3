import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the files of a package that a page loads, with its license.
 * @param files paths in the package
 */
function library(name: string, ...files: readonly string[]) {
  const directory = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const read = (file: string) => readFileSync(join(directory, file));
  const { version } = JSON.parse(read('package.json').toString()) as { version: string };
  // The address changes with the version, so browsers may keep the files.
  const address = (file: string) => `/-/assets/${name}-${version}/${file}`;
  return files.map((file) => ({ path: address(file), content: read(file), isImmutable: true as const }));
}

/** The zip library, and its license. Only the upload page needs a library. */
export const libraries = library('jszip', 'dist/jszip.min.js', 'LICENSE.markdown');

/** Paths of the scripts by which the upload page packs folders. */
export const zipWriter = libraries.flatMap(({ path }) => (path.endsWith('.js') ? [path] : []));
