import { closeSync, openSync } from 'node:fs';
import type Database from 'libsql';
import { hasErrno } from '../../../node/system-errors.js';

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

/** The index of a revision cannot be used: it is missing, damaged, or of another format. It has to be built again. */
export class UnusableIndex extends Error {
  override readonly name = 'UnusableIndex';
}

/** Whether an error says that the process, or the machine, may have no more open files. */
export function isNoMoreFiles(error: unknown): boolean {
  return hasErrno(error, ['EMFILE', 'ENFILE']);
}

/** @throws Error with the code EMFILE or ENFILE, which must not trigger a rebuild: SQLite only says that it cannot open the file */
export function throwIfNoMoreFiles(file: string): void {
  try {
    closeSync(openSync(file, 'r'));
  } catch (error) {
    if (isNoMoreFiles(error)) throw error;
  }
}
