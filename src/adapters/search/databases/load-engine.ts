import type Database from 'libsql';

/** SQLite, once it is loaded. */
export interface Loaded {
  readonly Engine: new (file: string) => Database.Database;
}

let loading: Promise<Loaded> | undefined;

/** Loads libsql the first time that something is built or searched: a native library of 9 MB. */
export function loadEngine(): Promise<Loaded> {
  loading ??= import('libsql').then(({ default: Engine }) => ({ Engine }));
  return loading;
}
