import type Database from 'libsql';

/** SQLite, once it is loaded. */
export interface Loaded {
  readonly Engine: new (file: string) => Database.Database;
}

let loading: Promise<Loaded> | undefined;

/**
 * Loads libsql at the first call: a native library of 9 MB.
 * @throws Error that names the package `@libsql/<platform>` when that is missing, or does not run on this machine
 */
export function loadEngine(): Promise<Loaded> {
  loading ??= import('libsql').then(({ default: Engine }) => ({ Engine }));
  return loading;
}
