import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../../formats/api/bodies.js';

/**
 * Absolute path of the folder that is served at the root of the server. All its files are in `-/`, which no site can
 * be named: `public/-/assets/lectern.css` is served as `/-/assets/lectern.css`.
 */
export const publicDirectory: string = fileURLToPath(new URL('./public', import.meta.url));

const JSZIP = dirname(createRequire(import.meta.url).resolve('jszip/package.json'));
const { version } = JSON.parse(readFileSync(join(JSZIP, 'package.json'), 'utf8')) as { version: string };

/**
 * The zip library, and its license. Only the upload page needs a library. The address changes with its version, so browsers
 * may keep the files.
 */
export const libraries = ['dist/jszip.min.js', 'LICENSE.markdown'].map((file) => ({
  path: `/-/assets/jszip-${version}/${file}`,
  content: readFileSync(join(JSZIP, file)),
  isImmutable: true as const,
}));

/** Paths of the scripts by which the upload page packs folders. */
export const zipWriter = libraries.flatMap(({ path }) => (path.endsWith('.js') ? [path] : []));

/** The client as one file, `/-/client.mjs`. */
export type ClientFile = Pick<Body<'ClientFile'>, 'sha256' | 'bytes'>;

/** Returns what is known of the client's file, which `scripts/build.mjs` makes; undefined where it was not built. */
export function clientFile(): ClientFile | undefined {
  const path = join(publicDirectory, '-/client.mjs');
  if (!existsSync(path)) return undefined;
  const content = readFileSync(path);
  return { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length };
}
