import { type Archives, KeyedMutex, type Privacy, type ReadDocinfo } from '../../application/index.js';
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

export interface FilesystemOptions {
  /** Restores sites that a power cut damaged, and packs copied-in directories. */
  readonly archives: Pick<Archives, 'unpack' | 'verify' | 'pack'>;
  /** Reader of the docinfo files of copied-in directories. */
  readonly readDocinfo: ReadDocinfo;
  /** Accepts a read-only docs directory, which is an error otherwise. */
  readonly mayBeReadOnly?: boolean;
  /** Readers of the files that web servers send by the links in `.lectern/public`. Default: `none`, which is everybody. */
  readonly privacy?: Privacy;
  /** Receives warnings, such as the findings of recovery at start. */
  readonly report?: Report;
  readonly disk?: Disk;
  /** Grace period for readers of a replaced or removed generation, in milliseconds; 5 s. */
  readonly graceMs?: number;
  /**
   * Time for which removed and replaced versions can be restored, in milliseconds; `clearUp` deletes what was kept longer.
   * Without it nothing is kept, and what others keep is left alone.
   */
  readonly keepRemovedMs?: number | undefined;
  /** Interval between polls of the docs directory, in milliseconds; 1.5 s. */
  readonly pollMs?: number;
}

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
  /** Readers of the files that web servers send; see `FilesystemOptions`. */
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
  }: Pick<FilesystemOptions, 'graceMs' | 'report' | 'keepRemovedMs' | 'privacy'> & {
    readonly foldsCase?: boolean;
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
