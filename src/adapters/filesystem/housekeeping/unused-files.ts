import type { KeyedMutex } from '../../../application/index.js';
import { unless } from '../../../node/system-errors.js';
import type { Disk } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Pointers } from '../publishing/pointers.js';
import type { Report } from '../report.js';
import type { Lease } from './lease.js';

/** Interval between sweeps of expired generations and paths, in milliseconds, while any are pending. */
const SWEEP_INTERVAL_MS = 1_000;

interface Unused {
  /** Time by `performance.now()`, in milliseconds. */
  readonly since: number;
  /** The path is that of this generation. */
  readonly generation?: { readonly directoryName: string; readonly name: string };
  /** Whether removing it has failed, which was reported. */
  readonly hasFailed?: true;
}

/**
 * Removes unused generations and paths after a grace period, for readers that have found them and are about to open a
 * file. Times are monotonic.
 */
export class UnusedFiles {
  /** Keyed by path. */
  private readonly pending = new Map<string, Unused>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Pick<Lease, 'nextName'>,
    private readonly pointers: Pointers,
    private readonly mutex: KeyedMutex,
    private readonly graceMs: number,
    private readonly report: Report,
  ) {}

  /** Removes a generation, unless it is in use by then. */
  generation(directoryName: string, name: string): void {
    const { directory } = this.layout.generation(directoryName, name);
    this.pending.set(directory, { since: performance.now(), generation: { directoryName, name } });
    this.arm();
  }

  path(path: string): void {
    this.pending.set(path, { since: performance.now() });
    this.arm();
  }

  /**
   * Removes everything pending at once.
   * @returns whether nothing is left
   */
  async close(): Promise<boolean> {
    clearTimeout(this.timer);
    await this.running;
    await this.run(0);
    clearTimeout(this.timer);
    return this.pending.size === 0;
  }

  private arm(): void {
    if (this.timer !== undefined || this.running !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.running = this.run(this.graceMs).then(() => {
        this.running = undefined;
        if (this.pending.size > 0) this.arm();
      });
    }, Math.min(this.graceMs, SWEEP_INTERVAL_MS) + 100).unref();
  }

  private async run(graceMs: number): Promise<void> {
    // The loop also comes to what it moves to the trash.
    for (const [path, unused] of this.pending) {
      const { since, generation, hasFailed } = unused;
      if (performance.now() - since < graceMs) continue;
      try {
        if (generation === undefined) await this.remove(path);
        else await this.moveToTrash(path, generation);
        this.pending.delete(path);
      } catch (error) {
        // Once for each path, and after another grace period: what cannot be removed at all must not fill the log.
        this.pending.set(path, { ...unused, since: performance.now(), hasFailed: true });
        if (!hasFailed) this.report('could not remove unused files; trying again later', { err: error });
      }
    }
  }

  /**
   * Moves a generation to the trash in one step: the next publication of the version must not wait for its deletion.
   */
  private moveToTrash(
    directory: string,
    { directoryName, name }: NonNullable<Unused['generation']>,
  ): Promise<void> {
    return this.mutex.run(directoryName, async () => {
      if (await this.pointers.isInUse(directoryName, name)) return;
      const trashed = this.layout.trashed(this.lease.nextName());
      try {
        await this.disk.rename(directory, trashed);
        this.pending.set(trashed, { since: Number.NEGATIVE_INFINITY });
      } catch {
        // Already gone, or the trash is missing.
        await this.remove(directory);
      }
      await this.removeEmptyHome(directoryName);
    });
  }

  /** Removes a path at once. */
  remove(path: string): Promise<void> {
    return this.disk.rm(path, { recursive: true, force: true });
  }

  async removeEmptyHome(directoryName: string): Promise<void> {
    const home = this.layout.generations(directoryName);
    await unless(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'], this.disk.rmdir(home));
  }
}
