import { readdir } from 'node:fs/promises';
import { type Disk, NOTHING_THERE, unless } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Pointers } from '../publishing/pointers.js';
import type { Report } from '../report.js';
import type { Serial } from '../serial.js';
import type { Lease } from './lease.js';

/** Interval between sweeps of expired generations and paths, in milliseconds, while any are pending. */
const SWEEP_INTERVAL_MS = 1_000;

/**
 * Removes unused generations and paths after a grace period, for readers that have found them and are about to open a
 * file. Times are monotonic.
 */
export class Retirement {
  private readonly versions = new Set<string>();
  /** Time since which each path is unused, by `performance.now()`. */
  private readonly unusedSince = new Map<string, number>();
  private readonly paths = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Pick<Lease, 'nextName'>,
    private readonly pointers: Pointers,
    private readonly serial: Serial,
    private readonly graceMs: number,
    private readonly report: Report,
  ) {}

  /** @param generation the one just replaced or removed, if known */
  version(directoryName: string, generation?: string): void {
    this.versions.add(directoryName);
    if (generation !== undefined) {
      this.unusedSince.set(this.layout.generation(directoryName, generation).directory, performance.now());
    }
    this.arm();
  }

  path(path: string): void {
    this.paths.add(path);
    this.unusedSince.set(path, performance.now());
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
    return this.versions.size === 0 && this.paths.size === 0;
  }

  private arm(): void {
    if (this.timer !== undefined || this.running !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.running = this.run(this.graceMs).then(() => {
        this.running = undefined;
        if (this.versions.size > 0 || this.paths.size > 0) this.arm();
      });
    }, Math.min(this.graceMs, SWEEP_INTERVAL_MS) + 100).unref();
  }

  private async run(graceMs: number): Promise<void> {
    for (const name of [...this.versions]) {
      await this.attempt(async () => {
        this.versions.delete(name);
        // On failure the version stays pending.
        const isLeft = await this.removeUnused(name, graceMs).catch((error: unknown) => {
          this.versions.add(name);
          throw error;
        });
        if (isLeft) this.versions.add(name);
      });
    }
    // Includes paths just moved to the trash.
    for (const path of [...this.paths]) {
      if (!this.isDue(path, graceMs)) continue;
      await this.attempt(async () => {
        await this.remove(path);
        this.unusedSince.delete(path);
        this.paths.delete(path);
      });
    }
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.report('could not remove what is not used any more; it will be tried again', { err: error });
    }
  }

  /** @returns whether some generations are left for later */
  private removeUnused(directoryName: string, graceMs: number): Promise<boolean> {
    return this.serial.run(directoryName, async () => {
      let isLeft = false;
      const home = this.layout.generations(directoryName);
      for (const name of (await unless(NOTHING_THERE, readdir(home))) ?? []) {
        const { directory } = this.layout.generation(directoryName, name);
        if (await this.pointers.isInUse(directoryName, name)) this.unusedSince.delete(directory);
        else if (this.isDue(directory, graceMs)) {
          await this.moveToTrash(directory);
          this.unusedSince.delete(directory);
        } else isLeft = true;
      }
      await this.removeEmptyHome(directoryName);
      return isLeft;
    });
  }

  /**
   * Moves a generation to the trash in one step: the next publication of the version must not wait for its deletion.
   */
  private async moveToTrash(directory: string): Promise<void> {
    const trashed = this.layout.trashed(this.lease.nextName());
    try {
      await this.disk.rename(directory, trashed);
    } catch {
      // Already gone, or the trash is missing.
      return this.remove(directory);
    }
    this.paths.add(trashed);
    this.unusedSince.set(trashed, Number.NEGATIVE_INFINITY);
  }

  private remove(directory: string): Promise<void> {
    return this.disk.rm(directory, { recursive: true, force: true });
  }

  async removeEmptyHome(directoryName: string): Promise<void> {
    const home = this.layout.generations(directoryName);
    await unless(['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'], this.disk.rmdir(home));
  }

  private isDue(path: string, graceMs: number): boolean {
    const since = this.unusedSince.get(path) ?? performance.now();
    this.unusedSince.set(path, since);
    return performance.now() - since >= graceMs;
  }
}
