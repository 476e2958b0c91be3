import { lstat, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unless } from '../../../node/system-errors.js';
import { type Disk, linkTarget, NOTHING_THERE } from '../disk.js';
import type { Lease } from '../housekeeping/lease.js';
import type { Layout } from '../layout.js';

/** The entry with a version's name in the docs directory. */
export type PointerTarget = { readonly target: string } | 'no link' | undefined;

/** Reads and sets links in the docs directory. Entries that are not Lectern's are not overwritten. */
export class Pointers {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
  ) {}

  async targetOf(directoryName: string): Promise<PointerTarget> {
    const pointer = this.layout.pointer(directoryName);
    const target = await linkTarget(pointer);
    if (target !== undefined) return { target };
    const stats = await unless(NOTHING_THERE, lstat(pointer));
    if (stats?.isSymbolicLink()) return this.targetOf(directoryName);
    return stats && 'no link';
  }

  /** The generation that the pointer links to; undefined for a copied-in directory, and for none. */
  async currentGeneration(directoryName: string): Promise<string | undefined> {
    const target = await linkTarget(this.layout.pointer(directoryName));
    return target === undefined ? undefined : this.layout.generationOf(directoryName, target);
  }

  /** Whether the pointer links to a missing generation: readers then find nothing. */
  async isDangling(directoryName: string): Promise<boolean> {
    const current = await this.currentGeneration(directoryName);
    if (current === undefined) return false;
    const { directory } = this.layout.generation(directoryName, current);
    if ((await unless(NOTHING_THERE, stat(directory))) !== undefined) return false;
    // The generation may have been replaced, and then removed.
    return (await this.currentGeneration(directoryName)) === current;
  }

  /** Whether a generation is public or about to be, also under another spelling of its version's name. */
  async isInUse(directoryName: string, generation: string): Promise<boolean> {
    // In this order: publishing renames the coming pointer to the current one.
    if ((await linkTarget(this.layout.comingPointer(generation))) !== undefined) return true;
    const target = await linkTarget(this.layout.pointer(directoryName));
    return target !== undefined && basename(dirname(target)) === generation;
  }

  /** Replaces a link by another one, in one step. */
  async replace(path: string, target: string): Promise<void> {
    const temporary = this.layout.comingPointer(this.lease.nextName());
    await this.disk.symlink(target, temporary);
    try {
      await this.disk.rename(temporary, path);
    } catch (error) {
      await this.disk.unlink(temporary);
      throw error;
    }
  }

  /** Sets the archive's link. An existing entry is left alone. */
  async linkArchive(directoryName: string): Promise<void> {
    const target = this.layout.archiveLinkTarget(directoryName);
    await unless(['EEXIST'], this.disk.symlink(target, this.layout.archiveLink(directoryName)));
  }

  /** Removes the archive's link if its version is gone, and restores it if the version is back. */
  async unlinkArchive(directoryName: string): Promise<void> {
    const link = this.layout.archiveLink(directoryName);
    if ((await linkTarget(link)) !== this.layout.archiveLinkTarget(directoryName)) return;
    if ((await this.currentGeneration(directoryName)) !== undefined) return;
    await unless(['ENOENT'], this.disk.unlink(link));
    if ((await this.currentGeneration(directoryName)) !== undefined) await this.linkArchive(directoryName);
  }
}
