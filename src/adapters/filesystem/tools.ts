import { KeyedMutex, type Privacy } from '../../application/index.js';
import { spellingsOf } from '../../domain/index.js';
import type { Disk } from './disk.js';
import { LastRound } from './housekeeping/last-round.js';
import type { Lease } from './housekeeping/lease.js';
import { UnusedFiles } from './housekeeping/unused-files.js';
import type { Layout } from './layout.js';
import { Pointers } from './publishing/pointers.js';
import { VersionLocks } from './publishing/version-locks.js';
import { RemovedVersions } from './removed/removed-versions.js';
import type { Report } from './report.js';

/** Parts shared by all changes to a docs directory: one set per process and directory. */
export interface Tools {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly lease: Lease;
  readonly pointers: Pointers;
  readonly unused: UnusedFiles;
  readonly removed: RemovedVersions;
  readonly lastRound: LastRound;
  /** Whether names that differ only in case are the same in the docs directory. */
  readonly foldsCase: boolean;
  /**
   * Serializes changes to a version, also with other processes; on a case-insensitive file system, changes to all
   * versions of a project.
   */
  readonly locks: VersionLocks;
  /** Who may read what web servers send; see `FilesystemOptions`. */
  readonly privacy: Privacy;
  readonly report: Report;
}

/** Grace period for readers of an unused generation, in milliseconds. */
export const GRACE_MS = 5_000;

export function toolsFor(
  disk: Disk,
  layout: Layout,
  lease: Lease,
  {
    graceMs = GRACE_MS,
    report = () => {},
    foldsCase = false,
    keepRemovedMs,
    privacy = 'none',
  }: {
    readonly graceMs?: number;
    readonly report?: Report;
    readonly foldsCase?: boolean;
    readonly keepRemovedMs?: number | undefined;
    readonly privacy?: Privacy;
  },
): Tools {
  const pointers = new Pointers(disk, layout, lease);
  const mutex = new KeyedMutex(foldsCase ? spellingsOf : undefined);
  const unused = new UnusedFiles(disk, layout, lease, pointers, mutex, graceMs, report);
  const lastRound = new LastRound(disk, layout, lease);
  const removed = new RemovedVersions(
    disk,
    layout,
    lease,
    lastRound,
    pointers,
    unused,
    keepRemovedMs,
    report,
  );
  const locks = new VersionLocks(disk, layout, lease, mutex);
  return { disk, layout, lease, pointers, unused, removed, lastRound, foldsCase, locks, privacy, report };
}
