import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { refuse } from '../../../domain/refusal.js';

/** A file being written. */
export interface OpenFile {
  readonly write: (bytes: Uint8Array) => void;
  readonly close: () => void;
}

/**
 * Writes a site into its new directory. Never opens a file twice or follows a link. Modes are 0644 and 0755, whatever the
 * archive says.
 */
export class SiteWriter {
  private readonly directories = new Set(['']);

  constructor(private readonly siteDirectory: string) {}

  /** Creates a directory and its parents, where missing. */
  createDirectory(path: string): void {
    if (this.directories.has(path)) return;
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    this.directories.add(path);
    try {
      mkdirSync(`${this.siteDirectory}/${path}`, { mode: 0o755 });
    } catch (error) {
      // On a case-insensitive file system, another spelling may have created it.
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }

  /** @param entry name for the refusal when two names are the same to the file system */
  createFile(path: string, entry: string): OpenFile {
    this.createDirectory(path.slice(0, Math.max(0, path.lastIndexOf('/'))));
    const fd = this.openNew(path, entry);
    return { write: (bytes) => writeFileSync(fd, bytes), close: () => closeSync(fd) };
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
