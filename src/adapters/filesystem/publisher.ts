import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { refuse, type VersionId } from '../../domain/index.js';
import { type Disk, errnoOf, syncDirectory, unless } from './disk.js';
import type { FilesystemStaging } from './filesystem-staging.js';
import type { Layout } from './layout.js';
import type { Lease } from './lease.js';

/**
 * Moves the pointers that make versions public. Every method leaves, after each single step, a state in which
 * each version is wholly there or not at all; the order of the steps is what makes it so.
 */
export class Publisher {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
  ) {}

  /**
   * Makes a staged generation public.
   * @returns whether it replaced something
   * @throws Refusal `version_exists` when something is there and `replace` is false
   */
  async publish(staging: FilesystemStaging, { project, label, directoryName }: VersionId, replace: boolean) {
    const generations = this.layout.generations(directoryName);
    const pointer = this.layout.pointer(directoryName);
    const exists = () => refuse.versionExists(project, label, '');
    if (!replace && (await unless(['ENOENT'], lstat(pointer))) !== undefined) throw exists();
    if ((await this.disk.mkdir(generations, { recursive: true })) !== undefined) {
      await syncDirectory(this.disk, this.layout.sites);
    }
    await staging.moveTo(this.layout.generation(directoryName, staging.name));
    await syncDirectory(this.disk, generations);
    // First the link to the archive: it leads nowhere until the pointer is there, so both appear at once.
    await this.linkArchive(directoryName);
    const target = this.layout.pointerTarget(directoryName, staging.name);
    const created = await unless(
      ['EEXIST'],
      this.disk.symlink(target, pointer).then(() => true),
    );
    if (created === undefined && !replace) throw exists();
    if (created === undefined) {
      const before = await this.currentGeneration(directoryName);
      await this.replacePointer(directoryName, target);
      await this.markRetired(directoryName, before);
    }
    // A deletion by another process may have taken the archive's link with it.
    await this.linkArchive(directoryName);
    await syncDirectory(this.disk, this.layout.root);
    return created === undefined;
  }

  /** @returns false when there was nothing to remove */
  async remove(directoryName: string): Promise<boolean> {
    const pointer = this.layout.pointer(directoryName);
    const stats = await unless(['ENOENT'], lstat(pointer));
    if (stats === undefined) return false;
    const before = await this.currentGeneration(directoryName);
    const removing = stats.isDirectory()
      ? this.disk.rename(pointer, join(this.layout.trash, this.lease.nextName()))
      : this.disk.unlink(pointer);
    if (
      (await unless(
        ['ENOENT'],
        removing.then(() => true),
      )) === undefined
    )
      return false;
    await this.markRetired(directoryName, before);
    await this.unlinkArchive(directoryName);
    await syncDirectory(this.disk, this.layout.root);
    return true;
  }

  /** Lets the archive's link go when its version has gone, and keeps it when the version is back. */
  async unlinkArchive(directoryName: string): Promise<void> {
    const link = this.layout.archiveLink(directoryName);
    if (await this.isArchiveLink(directoryName)) await unless(['ENOENT'], this.disk.unlink(link));
    if (await this.isPublished(directoryName)) await this.linkArchive(directoryName);
  }

  async linkArchive(directoryName: string): Promise<void> {
    if (await this.isArchiveLink(directoryName)) return;
    await this.placeLink(
      this.layout.archiveLinkTarget(directoryName),
      this.layout.archiveLink(directoryName),
    );
  }

  /**
   * Removes the generations of a version that were retired at least `graceMs` ago.
   * @returns whether some are left for later
   */
  async removeRetired(directoryName: string, graceMs: number): Promise<boolean> {
    let left = false;
    const home = this.layout.generations(directoryName);
    const current = await this.currentGeneration(directoryName);
    for (const name of (await unless(['ENOENT'], readdir(home))) ?? []) {
      if (name === current) continue;
      const { directory } = this.layout.generation(directoryName, name);
      const stats = await unless(['ENOENT'], lstat(directory));
      if (stats === undefined) continue;
      // Its ctime is when it was retired, or moved in by another process that is about to move the pointer.
      if (Date.now() - stats.ctimeMs < graceMs) left = true;
      else await this.disk.rm(directory, { recursive: true, force: true });
    }
    await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], this.disk.rmdir(home));
    return left;
  }

  async currentGeneration(directoryName: string): Promise<string | undefined> {
    const target = await unless(['ENOENT', 'EINVAL'], readlink(this.layout.pointer(directoryName)));
    return target === undefined ? undefined : this.layout.generationOf(directoryName, target);
  }

  /** Starts the time of grace for those who have found the old generation and are about to open a file in it. */
  private async markRetired(directoryName: string, generation: string | undefined): Promise<void> {
    if (generation === undefined) return;
    const { directory } = this.layout.generation(directoryName, generation);
    await unless(['ENOENT'], this.disk.utimes(directory, new Date(), new Date()));
  }

  private async replacePointer(directoryName: string, target: string): Promise<void> {
    const pointer = this.layout.pointer(directoryName);
    try {
      await this.placeLink(target, pointer);
    } catch (error) {
      if (!['EISDIR', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error;
      // No system call puts a link in the place of a directory: two steps, and a start in between undoes the first.
      const displaced = join(this.layout.displaced, directoryName);
      await this.disk.rm(displaced, { recursive: true, force: true });
      await this.disk.rename(pointer, displaced);
      await this.placeLink(target, pointer);
      await this.disk.rename(displaced, join(this.layout.trash, this.lease.nextName()));
    }
  }

  /** Puts a link in its place, over whatever link or file was there, in one step. */
  private async placeLink(target: string, path: string): Promise<void> {
    const temporary = join(this.layout.incoming, this.lease.nextName());
    await this.disk.symlink(target, temporary);
    try {
      await this.disk.rename(temporary, path);
    } catch (error) {
      await this.disk.unlink(temporary);
      throw error;
    }
  }

  private async isArchiveLink(directoryName: string): Promise<boolean> {
    const target = await unless(['ENOENT', 'EINVAL'], readlink(this.layout.archiveLink(directoryName)));
    return target === this.layout.archiveLinkTarget(directoryName);
  }

  private async isPublished(directoryName: string): Promise<boolean> {
    return (await this.currentGeneration(directoryName)) !== undefined;
  }
}
