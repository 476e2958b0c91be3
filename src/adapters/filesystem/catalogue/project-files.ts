import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProjectName } from '../../../domain/index.js';
import { hasErrno } from '../../../node/system-errors.js';
import { NOTHING_THERE } from '../disk.js';
import { DirectoryStamp } from './directory-stamp.js';

const SUFFIX = '.json';

/** A directory with a JSON file for some projects. It may be missing. */
export class ProjectFiles {
  private readonly stamp: DirectoryStamp;
  /** The projects that had a file when it was read last. */
  private readonly known = new Set<string>();

  constructor(readonly directory: string) {
    this.stamp = new DirectoryStamp(directory);
  }

  pathOf(project: string): string {
    return join(this.directory, `${project}${SUFFIX}`);
  }

  /**
   * Begins to look for changes. Undefined: no file has changed. Else returns the projects that have a file, or had one,
   * and a function to call once all of them are read.
   * @throws an error with an errno code
   */
  look(): { readonly projects: readonly string[]; readonly isRead: () => void } | undefined {
    const mayHaveChanged = whereThere(() => this.stamp.look());
    if (mayHaveChanged === undefined) {
      // One that comes back, as a disk that is mounted again, may have the time stamps that it had.
      this.stamp.forget();
      return this.known.size === 0 ? undefined : { projects: [...this.known], isRead: () => {} };
    }
    if (!mayHaveChanged) return undefined;
    const isRead = this.stamp.reading();
    return { projects: [...this.stored(), ...this.known], isRead };
  }

  /** Returns the text of a project's file; undefined when it has none. @throws an error with an errno code */
  read(project: string): string | undefined {
    const text = whereThere(() => readFileSync(this.pathOf(project), 'utf8'));
    if (text === undefined) this.known.delete(project);
    else this.known.add(project);
    return text;
  }

  private stored(): readonly string[] {
    const names = whereThere(() => readdirSync(this.directory)) ?? [];
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter(isProjectName);
  }
}

/** Returns the result of `work`; undefined where there is nothing. @throws other errors with an errno code */
function whereThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (hasErrno(error, NOTHING_THERE)) return undefined;
    throw error;
  }
}
