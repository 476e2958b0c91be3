import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = 'swagger-ui-dist';

/** What is served of the package. Its style sheet is not: `api.css` dresses its elements like the other pages. */
const FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
  'package.json',
] as const;

/** The build copies the files beside this module; from source they come from the package that they belong to. */
const copied = fileURLToPath(new URL('./swagger-ui', import.meta.url));
const directory = existsSync(copied)
  ? copied
  : dirname(createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`));
const { version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string };
const path = `/-/assets/swagger-ui-${version}/`;

/** The renderer of the API reference: files whose address changes with their version. */
export const renderer = {
  directory,
  files: FILES,
  /** The address below which the files are served. */
  path,
  script: `${path}${FILES[0]}`,
} as const;
