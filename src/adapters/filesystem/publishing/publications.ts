import { lstat, stat } from 'node:fs/promises';
import {
  decideRemoval,
  type Publication,
  type Published,
  type RemoveOptions,
  type Staging,
} from '../../../application/index.js';
import { refuse, type Version, type VersionId, versionOf, whyNotPublished } from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { unless } from '../../../node/system-errors.js';
import type { CatalogueWatcher } from '../catalogue/catalogue-watcher.js';
import type { DirectoryReader } from '../catalogue/directory-reader.js';
import { textOf } from '../catalogue/read-generation.js';
import { NOTHING_THERE, withRollback, writeNewFile } from '../disk.js';
import { recreateDirectories } from '../docs-directory.js';
import { assertSpelling, otherSpelling } from '../spelling.js';
import type { Tools } from '../tools.js';
import type { PublicLinks } from './public-links.js';
import { Publisher } from './publisher.js';
import type { SettingsWriter } from './settings-writer.js';
import { FilesystemStaging } from './staging.js';

/** Publishes and removes versions, and updates the catalogue and the public links. */
export class Publications {
  /** Time of the last publication, by `performance.now()`. */
  lastPublished = Number.NEGATIVE_INFINITY;
  private readonly publisher: Publisher;

  constructor(
    private readonly tools: Tools,
    private readonly reader: DirectoryReader,
    private readonly watcher: CatalogueWatcher,
    private readonly links: PublicLinks,
    private readonly settings: Pick<SettingsWriter, 'hold' | 'refresh'>,
  ) {
    this.publisher = new Publisher(tools);
  }

  async publish(
    staging: Staging,
    { id, record }: Publication,
    { replace }: { replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof FilesystemStaging)) throw new TypeError('a staging of another store');
    const { disk } = this.tools;
    await writeNewFile(disk, staging.generation.record, textOf(id, record));
    await staging.flushed;
    await syncDirectory(disk, staging.generation.directory);
    const version = versionOf(id, staging.name, record);
    return { version, replaced: await this.show(staging, version, { replace }) };
  }

  async remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    const remove = () => this.removeNow(id, options);
    return options.confirm === undefined ? remove() : this.settings.hold(id.project, remove);
  }

  private async removeNow(id: VersionId, options: RemoveOptions): Promise<void> {
    const { purge = false, confirm } = options;
    const { directoryName, project } = id;
    const { removed } = this.tools;
    await recreateDirectories(this.tools);
    await this.change(directoryName, async () => {
      const version = await this.onDisk(directoryName);
      this.watcher.set(directoryName, version);
      const isKept = purge && version === undefined && (await removed.filesOf(directoryName)).length > 0;
      const removal = decideRemoval(version, options, isKept);
      if (removal.kind === 'refuse') throw this.watcher.catalogue().whyNotFound(id);
      if (removal.kind === 'remove') {
        if (confirm !== undefined) {
          await this.forgetGoneLatest(project);
          confirm(this.watcher.catalogue());
        }
        const onRemoved = () => this.watcher.set(directoryName, undefined);
        await this.publisher.remove(removal.version, purge, onRemoved);
      }
      if (purge) await removed.purge(directoryName);
    });
  }

  /** Publishes a complete staging, its record included. @returns whether it replaced a version */
  async show(
    staging: FilesystemStaging,
    version: Version,
    { replace, restores }: { readonly replace: boolean; readonly restores?: Version },
  ): Promise<boolean> {
    const { removed, pointers } = this.tools;
    const { directoryName } = version;
    const replaced = await this.change(directoryName, async () => {
      // Under the lock: it may have been purged while it was unpacked.
      if (restores !== undefined) await removed.partsOf(restores);
      await assertSpelling(this.tools, version);
      const { kind } = await pointers.entryOf(directoryName);
      this.assertFree(version, replace, kind !== 'nothing' && kind !== 'dangling');
      // At once: web servers that read the directory show the new version from now on.
      const onMoved = () => this.watcher.set(directoryName, version);
      return this.publisher.publish(staging, version, { replace, onMoved });
    });
    this.lastPublished = performance.now();
    return replaced;
  }

  /**
   * Moves a copied-in directory that was removed back to its place.
   * @throws Refusal `version_not_found` when it is no longer kept; `version_exists` when something is there: no system call
   *   replaces a link by a directory
   */
  async putBack(version: Version, from: string): Promise<void> {
    const { disk, layout, pointers, removed } = this.tools;
    const { project, label, directoryName } = version;
    const pointer = layout.pointer(directoryName);
    await this.change(directoryName, async () => {
      await removed.partsOf(version);
      this.assertFree(version, true);
      await assertSpelling(this.tools, version);
      const { kind } = await pointers.entryOf(directoryName);
      if (kind !== 'nothing') throw refuse.directoryInTheWay(project, label);
      await withRollback(async (undo) => {
        undo.push(async () => {
          if ((await unless(NOTHING_THERE, lstat(from))) === undefined) await disk.rename(pointer, from);
        });
        await disk.rename(from, pointer);
        await syncDirectory(disk, layout.root);
      });
      await this.readAgain(directoryName);
    });
  }

  /** Asserts that a version may take its address, by the settings on the disk. @throws as `whyNotPublished` says */
  private assertFree(id: VersionId, replace: boolean, isThere?: boolean): void {
    this.settings.refresh(id.project);
    const refusal = whyNotPublished(this.watcher.catalogue(), id, replace, isThere);
    if (refusal !== undefined) throw refusal;
  }

  /** Decides on a change and makes it, under the version's lock, then updates the catalogue and the public links. */
  private async change<T>(directoryName: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.tools.locks.run(directoryName, work);
    } catch (error) {
      // Some steps may have been made, and not rolled back.
      await this.readAgain(directoryName).catch(() => {});
      throw error;
    } finally {
      await this.links.update();
    }
  }

  private async readAgain(directoryName: string): Promise<void> {
    this.watcher.scanSoon();
    // Throws when the docs directory is missing: that does not mean that the version is.
    await stat(this.tools.layout.root);
    this.watcher.set(directoryName, await this.onDisk(directoryName));
  }

  /** The version with exactly this name, from disk: the catalogue may be a second late. */
  private async onDisk(directoryName: string): Promise<Version | undefined> {
    const other = await otherSpelling(this.tools, this.tools.layout.root, directoryName);
    return other === undefined ? this.reader.readOne(directoryName) : undefined;
  }

  /** Takes the latest version of a project out of the catalogue if another process has removed it, and so on. */
  private async forgetGoneLatest(project: string): Promise<void> {
    for (;;) {
      const directoryName = this.watcher.catalogue().project(project)?.latest.directoryName;
      if (directoryName === undefined || (await this.onDisk(directoryName)) !== undefined) return;
      this.watcher.set(directoryName, undefined);
    }
  }
}
