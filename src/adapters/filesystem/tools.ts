import { spellingsOf } from '../../domain/index.js';
import type { Disk } from './disk.js';
import type { Lease } from './housekeeping/lease.js';
import { Retirement } from './housekeeping/retirement.js';
import type { Layout } from './layout.js';
import { Pointers } from './publishing/pointers.js';
import { VersionLocks } from './publishing/version-locks.js';
import type { Report } from './report.js';
import { Serial } from './serial.js';

/** The parts that all changes to a docs directory share: one set for each process and directory. */
export interface Tools {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly lease: Lease;
  readonly pointers: Pointers;
  readonly retirement: Retirement;
  /** Whether the docs directory takes `Readme` and `README` for the same name. */
  readonly foldsCase: boolean;
  /**
   * Changes to one version wait for one another here, those of other processes included; where case is folded, those to
   * all versions of a project.
   */
  readonly locks: VersionLocks;
  readonly report: Report;
}

/** Time that a generation which is not used any more stays for readers that have found it, in milliseconds. */
export const GRACE_MS = 5_000;

export function toolsFor(
  disk: Disk,
  layout: Layout,
  lease: Lease,
  {
    graceMs = GRACE_MS,
    report = () => {},
    foldsCase = false,
  }: {
    readonly graceMs?: number;
    readonly report?: Report;
    readonly foldsCase?: boolean;
  },
): Tools {
  const pointers = new Pointers(disk, layout, lease);
  const serial = new Serial(foldsCase ? spellingsOf : undefined);
  const retirement = new Retirement(disk, layout, lease, pointers, serial, graceMs, report);
  const locks = new VersionLocks(disk, layout.locks, layout.running, lease, serial);
  return { disk, layout, lease, pointers, retirement, foldsCase, locks, report };
}
