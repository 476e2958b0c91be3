import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The package yaml, loaded on the first call: a server that reads no YAML starts without it. */
export const yaml = () => require('yaml') as typeof import('yaml');
