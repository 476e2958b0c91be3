import { closeSync, openSync } from 'node:fs';
import { hasErrno } from '../../../node/system-errors.js';

/** Whether an error says that the process, or the machine, may have no more open files. */
export function isNoMoreFiles(error: unknown): boolean {
  return hasErrno(error, ['EMFILE', 'ENFILE']);
}

/** SQLite only says that it cannot open the file. An index is not to be built again because the process has too many files. */
export function throwIfNoMoreFiles(file: string): void {
  try {
    closeSync(openSync(file, 'r'));
  } catch (error) {
    if (isNoMoreFiles(error)) throw error;
  }
}
