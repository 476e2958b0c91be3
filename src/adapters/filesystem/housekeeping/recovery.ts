import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archives } from '../../../application/index.js';
import { directoryNameOfArchive } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { unless } from '../../../node/system-errors.js';
import { keepReplaced } from '../copied/replaced-directories.js';
import { NOTHING_THERE } from '../disk.js';
import type { Generation } from '../layout.js';
import { parseRemovedName } from '../removed/removed-versions.js';
import type { Tools } from '../tools.js';
import { type FoundLease, findLeases, judgeByRenewal, leaseIdOf } from './lease.js';
import { repairPointer, repairSite } from './repairs.js';
import { faultsOfArchive } from './verification.js';

/**
 * Time after which a system has written everything to the disk, in milliseconds: Linux does after 30 seconds
 * (vm.dirty_expire_centisecs), other systems within a few minutes.
 */
export const WRITTEN_BACK_MS = 10 * 60_000;

/**
 * Max. versions without a link that are removed although nothing says that somebody removed them. A crash interrupts
 * deletions of the last seconds only. More are a backup whose links are missing, or not unpacked yet.
 */
const MAX_UNEXPLAINED = 3;

export const NOT_IN_ORDER = 'recovery is incomplete; the next start tries again';

/**
 * Recovers from servers that ended without `close`, while others may be running. Failures are reported, and do not keep
 * the rest from being served.
 */
export class Recovery {
  /** Lease stamps at the previous run, by lease id. */
  private before: ReadonlyMap<string, bigint> = new Map();
  private isWhole = true;

  constructor(
    private readonly tools: Tools,
    private readonly archives: Pick<Archives, 'unpack' | 'verify'>,
  ) {}

  /** @returns whether a lease's fate is unknown until a later run finds it renewed, or not */
  async run(): Promise<boolean> {
    const { disk, layout, report } = this.tools;
    this.isWhole = true;
    const others = await this.otherLeases();
    const dead = others.filter(({ fate }) => fate === 'dead');
    const crashed = dead.filter(({ hasEnded }) => !hasEnded);
    if (crashed.length > 0) {
      const message = 'the last server on this directory did not shut down cleanly; checking for leftovers';
      report(message, { leases: crashed.length });
    }
    await this.attempt(() => this.tools.locks.sweep());
    await this.attempt(() => this.sweep(layout.incoming));
    await this.attempt(() => this.sweep(layout.trash));
    await this.attempt(() => this.returnDisplaced());
    await this.attempt(() => this.sweepBuilt());
    // A power cut loses what was not written back yet; the end of a process alone does not.
    const suspects = others.filter(
      (lease) => lease.fate !== 'alive' && !(lease.hasEnded && lease.isOfThisBoot),
    );
    if (suspects.length > 0) await this.attempt(() => this.checkPublished(suspects));
    if (crashed.length > 0) await this.attempt(() => this.sweepSites());
    // Leases that stay make the next start try again.
    if (this.isWhole) for (const { file } of dead) await unless(['ENOENT'], disk.unlink(file));
    this.before = new Map(others.map(({ id, stamp }) => [id, stamp]));
    return others.some(({ fate }) => fate === 'unknown');
  }

  private async otherLeases(): Promise<readonly FoundLease[]> {
    const { layout, lease } = this.tools;
    const found = await findLeases(layout.running);
    return judgeByRenewal(found, this.before).filter(({ id }) => id !== lease.id);
  }

  /**
   * Returns a predicate for names from dead leases. Call it after reading the names: a process that has made one of
   * them meanwhile already had its lease.
   */
  private async abandoned(): Promise<(name: string) => boolean> {
    const living = (await this.otherLeases()).filter(({ fate }) => fate !== 'dead');
    const ids = new Set([this.tools.lease.id, ...living.map(({ id }) => id)]);
    return (name) => {
      const id = leaseIdOf(name);
      return id !== undefined && !ids.has(id);
    };
  }

  /** The names in a directory that are from dead leases. */
  private async abandonedIn(directory: string): Promise<readonly string[]> {
    const names = await readdir(directory);
    return names.length === 0 ? names : names.filter(await this.abandoned());
  }

  private async sweep(directory: string): Promise<void> {
    for (const name of await this.abandonedIn(directory)) {
      await this.attempt(() => this.tools.unused.remove(join(directory, name)));
      this.tools.report('removed what an interrupted change left behind', { name });
    }
  }

  /** Restores copied-in directories whose replacement was interrupted between its two steps. */
  private async returnDisplaced(): Promise<void> {
    const { disk, removed, layout, pointers, report } = this.tools;
    for (const name of await this.abandonedIn(layout.displaced)) {
      const version = layout.versionOfDisplaced(name);
      await this.attempt(async () => {
        const displaced = join(layout.displaced, name);
        if ((await pointers.entryOf(version)).kind !== 'nothing') {
          const isKept = removed.keeps({ directoryName: version }, true);
          return isKept ? keepReplaced(this.tools, name) : this.tools.unused.remove(displaced);
        }
        await unless(['ENOENT'], disk.rename(displaced, layout.pointer(version)));
        await syncDirectory(disk, layout.root);
        report('restored a directory whose replacement was interrupted', { version });
      });
    }
  }

  /** Removes packed archives of directories that are gone or replaced, and those of several states. */
  private async sweepBuilt(): Promise<void> {
    const { layout, pointers } = this.tools;
    for (const version of await readdir(layout.built)) {
      await this.attempt(async () => {
        const home = join(layout.built, version);
        const { kind, generation } = await pointers.entryOf(version);
        const isCopiedIn = kind !== 'nothing' && generation === undefined;
        const archives = await unless(NOTHING_THERE, readdir(home));
        if (!isCopiedIn || archives?.length !== 1) await this.tools.unused.remove(home);
      });
    }
  }

  /**
   * After a power cut: removes dangling archive links, repairs pointers, and compares recent sites with their archives.
   */
  private async checkPublished(suspects: readonly FoundLease[]): Promise<void> {
    const { disk, layout, locks, pointers } = this.tools;
    const since = Math.min(...suspects.map(({ lastSeenMs }) => lastSeenMs)) - WRITTEN_BACK_MS;
    for (const name of await readdir(layout.root)) {
      await this.attempt(async () => {
        const archived = directoryNameOfArchive(name);
        if (archived !== undefined) await pointers.unlinkArchive(archived);
        const { kind, generation: found } = await pointers.entryOf(name);
        if (found === undefined) return;
        const isRepaired =
          kind === 'dangling' && (await locks.run(name, () => repairPointer(this.tools, name)));
        const current = isRepaired ? await pointers.currentGeneration(name) : found;
        if (current === undefined) return;
        await pointers.linkArchive(name);
        const generation = layout.generation(name, current);
        const record = await unless(NOTHING_THERE, stat(generation.record));
        if (isRepaired || record === undefined || record.mtimeMs >= since)
          await this.checkSite(name, generation);
      });
    }
    await syncDirectory(disk, layout.root);
  }

  private async checkSite(name: string, generation: Generation): Promise<void> {
    const { report } = this.tools;
    const { archive, site } = generation;
    const differences = await this.archives.verify(archive, site, 5);
    if (differences.length === 0) return;
    const faults = await faultsOfArchive(name, generation);
    if (faults.length > 0) {
      throw new Error(
        `the site of ${name} differs from its archive and was not repaired: ${faults.join('; ')}`,
      );
    }
    await repairSite(this.tools, this.archives, name, generation);
    report('a published site differed from its archive and was unpacked again', {
      version: name,
      differences,
    });
  }

  /** Removes generations whose publication was interrupted, and replaced ones. */
  private async sweepSites(): Promise<void> {
    const { layout, pointers, report, unused } = this.tools;
    const found: { version: string; generation: string }[] = [];
    for (const version of await readdir(layout.sites)) {
      const generations = (await unless(NOTHING_THERE, readdir(layout.generations(version)))) ?? [];
      if (generations.length === 0) await unused.removeEmptyHome(version);
      found.push(...generations.map((generation) => ({ version, generation })));
    }
    const isAbandoned = await this.abandoned();
    const unexplained = await this.unexplained(found.filter(({ generation }) => isAbandoned(generation)));
    const isInDoubt = unexplained.size > MAX_UNEXPLAINED;
    if (isInDoubt) {
      report(
        'versions in .lectern/sites have no link in the docs directory and were kept; restore the backup again including its links, or delete these directories',
        { versions: unexplained.size, first: [...unexplained].slice(0, 10) },
      );
    }
    for (const { version, generation } of found) {
      if (isInDoubt && unexplained.has(version)) continue;
      if (await pointers.isInUse(version, generation)) continue;
      // Kept: all that is left of a version whose current generation is missing.
      if ((await pointers.entryOf(version)).kind === 'dangling') continue;
      if (!isAbandoned(generation)) unused.generation(version, generation);
      else {
        await this.attempt(() => this.tools.unused.remove(layout.generation(version, generation).directory));
        await unused.removeEmptyHome(version);
      }
    }
  }

  /** The versions without a link to any of their generations that nobody has removed, as far as is known. */
  private async unexplained(
    found: readonly { readonly version: string; readonly generation: string }[],
  ): Promise<ReadonlySet<string>> {
    const { layout, pointers } = this.tools;
    const removed = new Set(
      (await readdir(layout.removed)).map((file) => parseRemovedName(file)?.removed.name),
    );
    const unexplained = new Set<string>();
    for (const { version, generation } of found) {
      if (removed.has(generation) || (await pointers.isInUse(version, generation))) continue;
      if ((await pointers.currentGeneration(version)) === undefined) unexplained.add(version);
    }
    return unexplained;
  }

  private async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.isWhole = false;
      this.tools.report(NOT_IN_ORDER, { err: error });
    }
  }
}
