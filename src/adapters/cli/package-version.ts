import { existsSync, readFileSync } from 'node:fs';

const packageFile = new URL('../../../package.json', import.meta.url);
const source = new URL('../../../src/main.ts', import.meta.url);

/** Returns the version in package.json. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** Returns the version for `/api/version` (interface section 9): `DEV` unless this is an installed package. */
export function runningVersion(): string {
  return existsSync(source) ? 'DEV' : packageVersion();
}
