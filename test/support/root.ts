import { fileURLToPath } from 'node:url';

/** The project's directory, whether this file runs as it stands or compiled in `dist.tests/`. */
export const ROOT = fileURLToPath(new URL('.', import.meta.resolve('lectern/package.json')));
/** The built program. */
export const MAIN = fileURLToPath(new URL('dist/main.js', import.meta.resolve('lectern/package.json')));
