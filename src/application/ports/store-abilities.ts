import type { Reader, Version } from '../../domain/index.js';
import type { StoredFile } from './sites.js';

/**
 * How a store is opened, in which projects may be private. A store remembers that, and whoever does not know the rules is
 * refused:
 *
 * - a `Reader`: projects may be private, and everybody may see what it sees
 * - `none`: everybody may read everything; a store that has private projects is refused
 * - `ended`: likewise, and a store with private projects has none any more
 * - `unserved`: by a command that answers no readers
 * - `filled`: by such a command, which copies private projects into it
 */
export type Privacy = Reader | 'none' | 'ended' | 'unserved' | 'filled';

/** Additional ability of a store that remembers whether projects in it may be private. */
export interface PrivateProjects {
  hasPrivate(): Promise<boolean>;
}

/** Why a store is refused. */
export const PRIVATE_PROJECTS =
  'projects in it are private: start with --access and the rules for who can read them, or with --end-access to make everything public';

/** Additional ability of a store from which clients can download by themselves. */
export interface DirectDownloads {
  /**
   * Returns an absolute URL of the version's archive that anyone can read for this long: to begin the download, not to end
   * it.
   */
  downloadUrl(version: Version, seconds: number): Promise<string>;
}

/** Additional abilities of a store on a local disk. */
export interface LocalStore {
  /**
   * Returns the path of an uploaded version's file relative to the docs directory, components joined by `/`, for a web
   * server that reads it there. Undefined for a file that may still change.
   */
  localPath(file: StoredFile): string | undefined;
  /** Returns the free disk space in bytes. */
  freeBytes(): Promise<number>;
  /**
   * Path of a derived file, for a library that reads files by itself. The directory may be missing. Whoever writes the
   * file writes it aside and renames it. Undefined: the directory is read-only.
   * @throws RangeError for names that `DerivedFiles.write` does not take
   */
  derivedPath(revision: string, name: string): string | undefined;
  /** Returns whether this process is to do what only one of all processes on the directory has to do. */
  isFirst(): Promise<boolean>;
  /**
   * Has web servers that send files by themselves send what a reader may see, and nothing else, from its return on.
   * @throws Error when they may still send more
   */
  showInPublic(reader: Reader): Promise<void>;
}
