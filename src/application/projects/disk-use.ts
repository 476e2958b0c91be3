import type { Catalogue, Version } from '../../domain/index.js';

/**
 * Bytes that a project takes in a store: archives, and sites where the store unpacks them. Copied-in directories are not
 * counted.
 */
export interface DiskUse {
  readonly versions: number;
  readonly previews: number;
  /** What was removed or replaced and is not deleted yet. */
  readonly removed: number;
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
