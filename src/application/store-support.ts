import {
  type Catalogue,
  isProjectName,
  type ProjectSettings,
  parseSettings,
  Refusal,
  refuse,
  type SettingsBody,
  SettingsError,
  settingsBody,
  type Version,
} from '../domain/index.js';
import type { RemoveOptions } from './ports/doc-store.js';
import type { DiskUse } from './ports/sites.js';

const DERIVED_NAME = /^[a-z][a-z0-9.-]{0,39}$/;
const REVISION = /^[A-Za-z0-9][A-Za-z0-9.-]{0,99}$/;
/** Error codes of a full disk or quota. */
const FULL = ['ENOSPC', 'EDQUOT'];
/** Error codes of a disk that cannot be reached or written, or of a process short of resources. */
const OUT_OF_REACH = (
  'EACCES EPERM EROFS EIO ESTALE ENXIO ENODEV EBUSY EXDEV EUCLEAN EREMOTEIO ' +
  'EMFILE ENFILE ENOMEM EAGAIN ERR_WORKER_INIT_FAILED ERR_WORKER_OUT_OF_MEMORY'
).split(' ');

/** Returns whether a text can be the revision of a version. */
export function isRevision(text: string): boolean {
  return REVISION.test(text);
}

/**
 * Checks the arguments of a `DerivedFiles`.
 * @throws RangeError for an invalid one
 */
export function assertDerived(revision: string, name: string): void {
  if (!isRevision(revision)) throw new RangeError('no revision');
  if (!DERIVED_NAME.test(name)) {
    throw new RangeError("a derived file's name has 1 to 40 of a-z, 0-9, . and -, a letter first");
  }
}

/**
 * Returns the JSON form of settings that a store can keep.
 * @throws RangeError for an invalid project name; Refusal `invalid_settings`
 */
export function storableSettings(project: string, settings: ProjectSettings): SettingsBody {
  if (!isProjectName(project)) throw new RangeError('no name of a project');
  const body = settingsBody(settings);
  try {
    parseSettings(project, body);
  } catch (error) {
    throw error instanceof SettingsError ? refuse.invalidSettings(project, error.message) : error;
  }
  return body;
}

/** The change that a removal makes: of what is published, of what is kept alone, or none. */
type Removal =
  | { readonly kind: 'remove'; readonly version: Version }
  | { readonly kind: 'purge' }
  | { readonly kind: 'refuse' };

/**
 * Decides on a removal. Stores ask under the lock under which they remove. With `purge`, what is kept goes after `remove`, too.
 * @param version the published one with this name
 * @param isKept whether something is kept of the version
 */
export function decideRemoval(
  version: Version | undefined,
  { revision, purge = false }: RemoveOptions,
  isKept: boolean,
): Removal {
  if (version !== undefined && (revision ?? version.revision) === version.revision) {
    return { kind: 'remove', version };
  }
  return { kind: purge && isKept ? 'purge' : 'refuse' };
}

/**
 * Adds up the versions and previews of a project.
 * @param bytesOf bytes that one of them takes
 * @param removed bytes of what was removed
 */
export function diskUseOf(
  catalogue: Catalogue,
  project: string,
  bytesOf: (version: Version) => number,
  removed: number,
): DiskUse {
  const sum = (versions: readonly Version[]) => versions.reduce((total, each) => total + bytesOf(each), 0);
  return {
    versions: sum(catalogue.project(project)?.versions ?? []),
    previews: sum(catalogue.previews.of(project)),
    removed,
  };
}

/** Bytes of an archive and of the site that was unpacked from it. */
export function unpackedBytes({ record: { archive, site } }: Version): number {
  return (archive?.size ?? 0) + (site?.bytes ?? 0);
}

/**
 * Maps an adapter's error to `insufficient_storage` or `unavailable`. Refusals, and errors that are not about storage, are
 * returned as they are.
 */
export function storageRefusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  const { code: own, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } };
  const code = String(own ?? cause?.code);
  if (FULL.includes(code)) return refuse.insufficientStorage({ cause: error });
  return OUT_OF_REACH.includes(code) ? refuse.storageUnavailable({ cause: error }) : error;
}

/** Max. faults reported of one version, or of another part of a store. */
export const MAX_FAULTS = 10;

/** Result of checking one version, or another part of a store, such as its log. */
export interface Check {
  /** Directory name of the version, or what else was checked: `the log`. */
  readonly name: string;
  /** Versions checked so far, this one included; and all versions. */
  readonly done: number;
  readonly total: number;
  /** Differences, a sentence each; empty when there are none. */
  readonly faults: readonly string[];
  readonly isRepaired: boolean;
}
