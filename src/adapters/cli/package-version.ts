import { existsSync, readFileSync } from 'node:fs';

const packageFile = new URL('../../../package.json', import.meta.url);
const source = new URL('../../../src/main.ts', import.meta.url);

/** The version in package.json. */
export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** What `/api/version` says: an installed package has no sources beside it (interface section 9). */
export function runningVersion(): string {
  return existsSync(source) ? 'DEV' : packageVersion();
}
