import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, type Version, type VersionId } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { isDone, unless } from '../../../node/system-errors.js';
import { clearDisplaced, displace } from '../copied/replaced-directories.js';
import { type UndoSteps, withRollback } from '../disk.js';
import { assertSpelling, otherSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';
import { type Entry, planMove, planRemoval } from './pointers.js';
import type { FilesystemStaging } from './staging.js';

interface PublishOptions {
  readonly replace: boolean;
  /** Replace only this generation, which is damaged and not kept; throw `Superseded` otherwise. */
  readonly over?: string;
  /** Called once the pointer links to the new generation: readers see it from then on, durable or not. */
  readonly onMoved?: () => void;
}

/** The generation to be replaced was already replaced or removed. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/**
 * Publishes and removes versions by moving pointers, under the version's lock, which the caller holds. The order of the
 * steps keeps each version complete after every one of them: old, new or absent. A failed step rolls back those before it.
 * Locks serialize changes to a version among all processes; only changes by hand ignore them.
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
    const { disk, layout, pointers } = this.tools;
    const { directoryName } = id;
    const { name } = staging;
    try {
      return await withRollback(async (undo) => {
        undo.push(() => unless(['ENOENT'], disk.unlink(layout.comingPointer(name))));
        await disk.symlink(layout.pointerTarget(directoryName, name), layout.comingPointer(name));
        await this.moveIn(staging, directoryName, undo);
        // The archive's link first: it dangles until the pointer exists, so both appear at once.
        undo.push(() => pointers.unlinkArchive(directoryName));
        await pointers.linkArchive(directoryName);
        undo.push(() => this.syncRoot().catch(() => {}));
        const replaced = await this.movePointer(id, name, options, undo);
        options.onMoved?.();
        // A deletion by another process may have taken the archive's link with it.
        await pointers.linkArchive(directoryName);
        await this.syncRoot();
        if (replaced !== undefined) this.leaveToReaders(directoryName, replaced);
        // The version is published; a later deletion or the next start discards what is left.
        await clearDisplaced(this.tools, directoryName).catch(() => {});
        return replaced !== undefined;
      });
    } finally {
      // Also after a failed rollback: `discard` must not remove a public generation.
      if (await this.pointsTo(directoryName, name)) staging.keep();
    }
  }

  /**
   * Removes the link, directory or file with a version's name.
   * @param purge whether nothing of it is kept
   * @param onRemoved called once the pointer is gone
   */
  async remove(version: Version, purge: boolean, onRemoved: () => void): Promise<void> {
    const { disk, removed, layout, lease, pointers, unused } = this.tools;
    const { directoryName } = version;
    const pointer = layout.pointer(directoryName);
    const entry = await pointers.entryOf(directoryName);
    const { step, kept } = planRemoval(entry, !purge && removed.keeps(version, false));
    if (step === 'none') return onRemoved();
    await withRollback(async (undo) => {
      await clearDisplaced(this.tools, directoryName);
      undo.push(() => this.syncRoot().catch(() => {}));
      const place =
        step === 'keep' ? await removed.placeFor(directoryName, false) : layout.trashed(lease.nextName());
      if (kept !== undefined) await removed.keep(directoryName, kept, false, undo);
      undo.push(async () => {
        const isBack = (await pointers.currentGeneration(directoryName)) !== undefined;
        if (isBack) await pointers.linkArchive(directoryName);
      });
      const { target } = entry;
      undo.push(() =>
        target === undefined
          ? unless(['ENOENT'], disk.rename(place, pointer))
          : unless(['EEXIST'], disk.symlink(target, pointer)),
      );
      await unless(['ENOENT'], step === 'unlink' ? disk.unlink(pointer) : disk.rename(pointer, place));
      onRemoved();
      await pointers.unlinkArchive(directoryName);
      await this.syncRoot();
      this.leaveToReaders(directoryName, entry);
      if (step === 'discard') unused.path(place);
      if (step === 'keep') await syncDirectory(disk, layout.removed);
    });
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

  /** @returns what was replaced; undefined for a new version */
  private async movePointer(
    id: VersionId,
    generation: string,
    options: PublishOptions,
    undo: UndoSteps,
  ): Promise<Entry | undefined> {
    const { disk, removed, layout, pointers } = this.tools;
    const { project, label, directoryName } = id;
    const pointer = layout.pointer(directoryName);
    const coming = layout.comingPointer(generation);
    for (;;) {
      await assertSpelling(this.tools, id);
      const entry = await pointers.entryOf(directoryName);
      const { step, kept } = planMove(entry, { ...options, keeps: removed.keeps(id, true) });
      if (step === 'superseded') throw new Superseded(`${directoryName} was changed meanwhile`);
      if (step === 'refuse') throw refuse.versionExists(project, label, '');
      if (kept !== undefined) await removed.keep(directoryName, kept, true, undo);
      if (step === 'displace') await displace(this.tools, directoryName, undo);
      undo.push(() =>
        this.pointBack(directoryName, generation, step === 'replace' ? entry.target : undefined),
      );
      // `symlink` is exclusive: of several processes with a new version, one succeeds.
      const moving =
        step === 'create'
          ? disk.symlink(layout.pointerTarget(directoryName, generation), pointer)
          : disk.rename(coming, pointer);
      if (!(await isDone(['EEXIST', 'EISDIR', 'ENOTEMPTY'], moving))) continue;
      if (step === 'create') await disk.unlink(coming);
      return step === 'replace' || step === 'displace' ? entry : undefined;
    }
  }

  /** Restores the previous target of the pointer, or none, if the current one still links to `generation`. */
  private async pointBack(directoryName: string, generation: string, target?: string): Promise<void> {
    const { disk, layout, pointers } = this.tools;
    if (!(await this.pointsTo(directoryName, generation))) return;
    const pointer = layout.pointer(directoryName);
    if (target === undefined) return disk.unlink(pointer);
    const old = layout.generationOf(directoryName, target);
    // Fails if another process has removed the old generation as unused: then the new one stays.
    if (old !== undefined) await lstat(layout.generation(directoryName, old).directory);
    await pointers.replace(pointer, target);
  }

  /** Leaves a replaced or removed version to its last readers: its generation, or what was built of its directory. */
  private leaveToReaders(directoryName: string, { generation }: Entry): void {
    const { layout, unused } = this.tools;
    if (generation !== undefined) unused.generation(directoryName, generation);
    else unused.path(join(layout.built, directoryName));
  }

  private async pointsTo(directoryName: string, generation: string): Promise<boolean> {
    return (await this.tools.pointers.currentGeneration(directoryName)) === generation;
  }

  private async syncRoot(): Promise<void> {
    await syncDirectory(this.tools.disk, this.tools.layout.root);
  }
}
