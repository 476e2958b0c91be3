import { existsSync, readFileSync } from 'node:fs';

/** Set by scripts/client-file.mjs in the client's file, which has no package.json. */
declare const CLIENT_VERSION: string | undefined;

/** Returns the version in package.json. */
export function packageVersion(): string {
  if (typeof CLIENT_VERSION === 'string') return CLIENT_VERSION;
  return (JSON.parse(readFileSync(packageFile(), 'utf8')) as { version: string }).version;
}

/** Returns the version for `/api/version` (interface section 9): `DEV` unless this is an installed package. */
export function runningVersion(): string {
  return existsSync(new URL('src/main.ts', packageFile())) ? 'DEV' : packageVersion();
}

/** Resolves by the package's own name, wherever this file was compiled to. The client's file is in no package. */
function packageFile(): URL {
  return new URL(import.meta.resolve('lectern/package.json'));
}
