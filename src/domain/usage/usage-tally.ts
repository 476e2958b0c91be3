import {
  type Counted,
  type GrowingUsage,
  MAX_COUNTED_PATHS,
  MAX_COUNTED_PATHS_OF_ALL,
  MAX_MISSING_PATH,
  noTotals,
  noUsage,
  type ProjectUsage,
} from './counts.js';

/** Room for paths that several projects share on one day. */
export class SharedRoom {
  private readonly taken = noTotals();

  /** Takes the room of one path. @returns false when there is none */
  take(counted: Counted): boolean {
    if (this.taken[counted] >= MAX_COUNTED_PATHS_OF_ALL[counted]) return false;
    this.taken[counted] += 1;
    return true;
  }
}

/** Counts the requests for one project on one day, in bounded memory. */
export class UsageTally {
  private readonly versions = new Map<string, GrowingUsage>();
  private readonly taken = noTotals();

  constructor(private readonly shared = new SharedRoom()) {}

  get usage(): ProjectUsage {
    return this.versions;
  }

  /** @param path undefined for one that cannot be told, such as an invalid one */
  count(counted: Counted, label: string, path: string | undefined): void {
    let version = this.versions.get(label);
    if (version === undefined) {
      version = noUsage();
      this.versions.set(label, version);
    }
    const counts = version[counted];
    counts.total += 1;
    if (path === undefined) return;
    const known = counts.paths.get(path);
    if (known !== undefined) counts.paths.set(path, known + 1);
    else if (this.hasRoom(counted, path)) counts.paths.set(path, 1);
  }

  private hasRoom(counted: Counted, path: string): boolean {
    if (counted === 'misses' && path.length > MAX_MISSING_PATH) return false;
    if (this.taken[counted] >= MAX_COUNTED_PATHS[counted] || !this.shared.take(counted)) return false;
    this.taken[counted] += 1;
    return true;
  }
}
