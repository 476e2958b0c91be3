import { closeSync, mkdirSync, openSync } from 'node:fs';
import { refuse } from '../../../domain/refusal.js';
import { writeAll } from './write-all.js';

/** A file being written. */
export interface OpenFile {
  readonly write: (bytes: Uint8Array) => void;
  readonly close: () => void;
}

/**
 * Writes below a directory that was made for it. Nothing there is ever opened twice or followed, and modes are ours:
 * 0644 and 0755, whatever the archive says.
 */
export class SiteWriter {
  private readonly directories = new Set(['']);

  constructor(private readonly siteDirectory: string) {}

  /** Creates the directory and its parents where they are missing. */
  createDirectory(path: string): void {
    if (this.directories.has(path)) return;
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    this.directories.add(path);
    try {
      mkdirSync(`${this.siteDirectory}/${path}`, { mode: 0o755 });
    } catch (error) {
      // Where the file system folds case, another spelling may have made it.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }

  /** @param entry what a refusal names, when the file system takes two names of the archive for one. */
  createFile(path: string, entry: string): OpenFile {
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const fd = this.openNew(path, entry);
    return {
      write: (bytes) => writeAll(fd, bytes),
      close: () => closeSync(fd),
    };
  }

  private openNew(path: string, entry: string): number {
    try {
      return openSync(`${this.siteDirectory}/${path}`, 'wx', 0o644);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      throw refuse.invalidArchive('is there twice, as the file system of this server reads names', entry, {
        cause: error,
      });
    }
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined);
