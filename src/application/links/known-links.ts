import { LruCache, type Project, type Version } from '../../domain/index.js';
import type { Sites } from '../ports/sites.js';
import { textOf } from '../site-files.js';
import type { LinkReport } from './link-report.js';

/** Name of the derived file: the number of dead links, in decimal. It changes whenever links are checked in another way. */
const FILE = 'dead-links';
/** Max. numbers in memory, some 200 bytes each. */
const MAX_KEPT = 50_000;
/** Time after which a missing number is looked for again, in milliseconds: another server may have checked the version. */
const MAX_MISSING_MS = 3_600_000;
/** Files that are looked for at once. */
const MAX_AT_ONCE = 32;

interface Known {
  /** Undefined for a version that has not been checked. */
  readonly dead: number | undefined;
  /** Time by the clock from which on it is looked for again. */
  readonly until: number;
}

/** Numbers of dead links of versions that have been checked: what is shown without waiting for a check. */
export class KnownLinks {
  /** Keyed by revision. */
  private readonly kept = new LruCache<Known>(MAX_KEPT);

  constructor(
    private readonly docs: Pick<Sites, 'derived'>,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Remembers what a check has found. A store that cannot be written to forgets it at the next start. */
  async note({ revision, origin }: Version, { dead }: Pick<LinkReport, 'dead'>): Promise<void> {
    if (this.kept.get(revision)?.dead === dead) return;
    this.kept.set(revision, { dead, until: Number.POSITIVE_INFINITY });
    // Pages of a copied-in directory may change at any time.
    if (origin === 'copied') return;
    const content = async function* () {
      yield new TextEncoder().encode(String(dead));
    };
    await this.docs.derived.write(revision, FILE, content()).catch(() => {});
  }

  /** Returns the number of dead links of the latest version; undefined where it has not been checked. */
  async ofLatest({ latest }: Project): Promise<number | undefined> {
    const { revision } = latest;
    const kept = this.kept.get(revision);
    if (kept !== undefined && this.clock() < kept.until) return kept.dead;
    try {
      const dead = await this.stored(revision);
      const until = dead === undefined ? this.clock() + MAX_MISSING_MS : Number.POSITIVE_INFINITY;
      // It may have been checked meanwhile.
      if (this.kept.get(revision) === kept) this.kept.set(revision, { dead, until });
      return dead;
    } catch {
      // The store is out of reach: the next one may learn it.
      return undefined;
    }
  }

  /** Returns the number of dead links of the latest versions of all these projects, of those that have been checked. */
  async ofAllLatest(projects: readonly Project[]): Promise<number> {
    let sum = 0;
    for (let start = 0; start < projects.length; start += MAX_AT_ONCE) {
      const some = projects.slice(start, start + MAX_AT_ONCE);
      const counts = await Promise.all(some.map((project) => this.ofLatest(project)));
      sum += counts.reduce<number>((all, dead = 0) => all + dead, 0);
    }
    return sum;
  }

  private async stored(revision: string): Promise<number | undefined> {
    const file = await this.docs.derived.open(revision, FILE);
    if (file === undefined) return undefined;
    const text = await textOf(file.stream());
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }
}
