import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, type Version, type VersionId } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { isDone, unless } from '../../../node/system-errors.js';
import { clearDisplaced, displace } from '../copied/replaced-directories.js';
import { type UndoSteps, withRollback } from '../disk.js';
import { assertSpelling, otherSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';
import type { PointerTarget } from './pointers.js';
import type { FilesystemStaging } from './staging.js';

interface PublishOptions {
  readonly replace: boolean;
  /** Replace only this generation, which is damaged and not kept; throw `Superseded` otherwise. */
  readonly over?: string;
  /** Throws when the version must not be published. Called under the version's lock. */
  readonly assertExpected?: () => Promise<void>;
  /**
   * Throws when the version may not take its address. Called under the version's lock.
   * @param isThere whether something has that address already
   */
  readonly assertFree?: (isThere: boolean) => void;
  /** Called once the pointer links to the new generation: readers see it from then on, durable or not. */
  readonly onMoved?: () => void;
}

interface RemoveOptions {
  /**
   * Throws when the version must not be removed. Called under the version's lock.
   * @returns what is published; undefined when it is only to be purged
   */
  readonly published: () => Promise<Version | undefined>;
  /** Called once the pointer is gone. */
  readonly onRemoved: () => void;
  /** Whether nothing of the version is kept. */
  readonly purge: boolean;
}

/** The generation to be replaced was already replaced or removed. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Publishes and removes versions by moving pointers. The order of the steps keeps each version complete after every one
 * of them: old, new or absent. A failed step rolls back those before it. Locks serialize changes to a version among all
 * processes; only changes by hand ignore them.
 */
export class Publisher {
  constructor(private readonly tools: Tools) {}

  /**
   * Publishes a staged generation.
   * @returns whether it replaced something
   * @throws Refusal `version_exists` when something is there and `replace` is false; on a case-insensitive file system
   *   also what `refuseSpelling` gives, and `unavailable` while another spelling is changed; Superseded
   */
  async publish(staging: FilesystemStaging, id: VersionId, options: PublishOptions): Promise<boolean> {
    return this.tools.locks.run(id.directoryName, async () => {
      try {
        return await withRollback((undo) => this.publishSteps(staging, id, options, undo));
      } finally {
        // Also after a failed rollback: `discard` must not remove a public generation.
        if (await this.pointsTo(id.directoryName, staging.name)) staging.keep();
      }
    });
  }

  /** Removes the link, directory or file with a version's name. */
  async remove(directoryName: string, options: RemoveOptions): Promise<void> {
    const { removed, locks } = this.tools;
    const { published, purge } = options;
    return locks.run(directoryName, async () => {
      const version = await published();
      if (version !== undefined) await withRollback((undo) => this.removeSteps(version, options, undo));
      if (purge) await removed.purge(directoryName);
    });
  }

  private async publishSteps(
    staging: FilesystemStaging,
    id: VersionId,
    options: PublishOptions,
    undo: UndoSteps,
  ): Promise<boolean> {
    const { disk, layout, pointers } = this.tools;
    const { directoryName } = id;
    const { name } = staging;
    await options.assertExpected?.();
    await assertSpelling(this.tools, id);
    options.assertFree?.(await this.isTaken(directoryName));
    undo.push(() => unless(['ENOENT'], disk.unlink(layout.comingPointer(name))));
    await disk.symlink(layout.pointerTarget(directoryName, name), layout.comingPointer(name));
    await this.moveIn(staging, directoryName, undo);
    // The archive's link first: it dangles until the pointer exists, so both appear at once.
    undo.push(() => pointers.unlinkArchive(directoryName));
    await pointers.linkArchive(directoryName);
    undo.push(() => this.syncRoot().catch(() => {}));
    const { isReplacing, current } = await this.movePointer(id, name, options, undo);
    options.onMoved?.();
    // A deletion by another process may have taken the archive's link with it.
    await pointers.linkArchive(directoryName);
    await this.syncRoot();
    if (isReplacing) this.leaveToReaders(directoryName, current);
    // The version is published; a later deletion or the next start discards what is left.
    await clearDisplaced(this.tools, directoryName).catch(() => {});
    return isReplacing;
  }

  private async moveIn(staging: FilesystemStaging, directoryName: string, undo: UndoSteps): Promise<void> {
    const { disk, layout, unused } = this.tools;
    // The directory of another spelling is that version's to remove, with its content.
    const other = await otherSpelling(this.tools, layout.sites, directoryName);
    if (other !== undefined) throw refuse.nameInUse(directoryName, other);
    const before = staging.generation;
    undo.push(async () => {
      const isPublic = await this.pointsTo(directoryName, staging.name);
      if (staging.generation !== before && !isPublic) await staging.moveTo(before);
      await unused.removeEmptyHome(directoryName);
    });
    const isNew = await staging.moveTo(layout.generation(directoryName, staging.name));
    // In parallel, so that a journal writes both together. No pointer leads there yet.
    const home = layout.generations(directoryName);
    const changed = isNew ? [layout.sites, home] : [home];
    await Promise.all(changed.map((directory) => syncDirectory(disk, directory)));
  }

  /** @returns whether a version was replaced, and its generation; undefined for a copied-in directory */
  private async movePointer(
    id: VersionId,
    generation: string,
    { replace, over }: PublishOptions,
    undo: UndoSteps,
  ): Promise<{ readonly isReplacing: boolean; readonly current: string | undefined }> {
    const { disk, removed, layout, pointers } = this.tools;
    const { project, label, directoryName } = id;
    const pointer = layout.pointer(directoryName);
    const coming = layout.comingPointer(generation);
    for (;;) {
      await assertSpelling(this.tools, id);
      const before = await pointers.targetOf(directoryName);
      const current = await pointers.currentGeneration(directoryName);
      if (over !== undefined && current !== over)
        throw new Superseded(`${directoryName} was changed meanwhile`);
      const isReplacing = before !== undefined && !(await pointers.isDangling(directoryName));
      if (isReplacing && !replace) throw refuse.versionExists(project, label, '');
      const isKept = over === undefined && isReplacing && removed.keeps(id, true);
      if (isKept && current !== undefined) {
        await removed.keep(directoryName, current, true, undo);
      }
      if (before === 'no link') await displace(this.tools, directoryName, undo);
      undo.push(() => this.pointBack(directoryName, generation, isReplacing ? before : undefined));
      // `symlink` is exclusive: of several processes with a new version, one succeeds.
      const moving =
        before === undefined
          ? disk.symlink(layout.pointerTarget(directoryName, generation), pointer)
          : disk.rename(coming, pointer);
      if (!(await isDone(['EEXIST', 'EISDIR', 'ENOTEMPTY'], moving))) continue;
      if (before === undefined) await disk.unlink(coming);
      return { isReplacing, current };
    }
  }

  /** Restores the previous pointer, if the current one still links to `generation`. */
  private async pointBack(directoryName: string, generation: string, before: PointerTarget): Promise<void> {
    const { disk, layout, pointers } = this.tools;
    if (!(await this.pointsTo(directoryName, generation))) return;
    const pointer = layout.pointer(directoryName);
    if (typeof before !== 'object') return disk.unlink(pointer);
    const old = layout.generationOf(directoryName, before.target);
    // Fails if another process has removed the old generation as unused: then the new one stays.
    if (old !== undefined) await lstat(layout.generation(directoryName, old).directory);
    await pointers.replace(pointer, before.target);
  }

  private async removeSteps(
    version: Version,
    { onRemoved, purge }: RemoveOptions,
    undo: UndoSteps,
  ): Promise<void> {
    const { disk, removed, layout, lease, pointers, unused } = this.tools;
    const { directoryName } = version;
    const pointer = layout.pointer(directoryName);
    const before = await pointers.targetOf(directoryName);
    if (before === undefined) return onRemoved();
    await clearDisplaced(this.tools, directoryName);
    undo.push(() => this.syncRoot().catch(() => {}));
    const keeps = !purge && removed.keeps(version, false);
    const isLink = typeof before === 'object';
    const place =
      keeps && !isLink ? await removed.placeFor(directoryName, false) : layout.trashed(lease.nextName());
    const current = await pointers.currentGeneration(directoryName);
    if (keeps && current !== undefined) await removed.keep(directoryName, current, false, undo);
    undo.push(async () => {
      const isBack = (await pointers.currentGeneration(directoryName)) !== undefined;
      if (isBack) await pointers.linkArchive(directoryName);
    });
    undo.push(() =>
      isLink
        ? unless(['EEXIST'], disk.symlink(before.target, pointer))
        : unless(['ENOENT'], disk.rename(place, pointer)),
    );
    const removing = isLink ? disk.unlink(pointer) : disk.rename(pointer, place);
    await unless(['ENOENT'], removing);
    onRemoved();
    await pointers.unlinkArchive(directoryName);
    await this.syncRoot();
    this.leaveToReaders(directoryName, current);
    if (!isLink && !keeps) unused.path(place);
    if (!isLink && keeps) await syncDirectory(disk, layout.removed);
  }

  /** Leaves a replaced or removed version to its last readers: its generation, or what was built of its directory. */
  private leaveToReaders(directoryName: string, generation: string | undefined): void {
    const { layout, unused } = this.tools;
    if (generation !== undefined) unused.generation(directoryName, generation);
    else unused.path(join(layout.built, directoryName));
  }

  private async isTaken(directoryName: string): Promise<boolean> {
    const { pointers } = this.tools;
    if ((await pointers.targetOf(directoryName)) === undefined) return false;
    return !(await pointers.isDangling(directoryName));
  }

  private async pointsTo(directoryName: string, generation: string): Promise<boolean> {
    return (await this.tools.pointers.currentGeneration(directoryName)) === generation;
  }

  private async syncRoot(): Promise<void> {
    await syncDirectory(this.tools.disk, this.tools.layout.root);
  }
}
