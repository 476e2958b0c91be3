import { lstat, stat } from 'node:fs/promises';
import {
  decideRemoval,
  type Publication,
  type Published,
  type RemoveOptions,
  type Staging,
} from '../../../application/index.js';
import { refuse, type Version, type VersionId, versionOf } from '../../../domain/index.js';
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
    private readonly settings: Pick<SettingsWriter, 'assertFree' | 'hold'>,
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
    const replaced = await this.show(staging, version, { replace });
    return { version, replaced };
  }

  async remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    const remove = () => this.removeNow(id, options);
    return options.confirm === undefined ? remove() : this.settings.hold(id.project, remove);
  }

  private async removeNow(id: VersionId, options: RemoveOptions): Promise<void> {
    const { purge = false, confirm } = options;
    const { directoryName, project } = id;
    const { removed } = this.tools;
    const published = async () => {
      const version = await this.onDisk(directoryName);
      this.watcher.set(directoryName, version);
      const isKept = purge && version === undefined && (await removed.filesOf(directoryName)).length > 0;
      const removal = decideRemoval(version, options, isKept);
      if (removal.kind === 'refuse') throw this.watcher.catalogue().whyNotFound(id);
      if (removal.kind === 'purge') return undefined;
      if (confirm !== undefined) {
        await this.forgetGoneLatest(project);
        confirm(this.watcher.catalogue());
      }
      return removal.version;
    };
    await recreateDirectories(this.tools);
    await this.runAndUpdate(directoryName, () =>
      this.publisher.remove(directoryName, {
        published,
        onRemoved: () => this.watcher.set(directoryName, undefined),
        purge,
      }),
    );
  }

  /** Publishes a complete staging, its record included. @returns whether it replaced a version */
  async show(
    staging: FilesystemStaging,
    version: Version,
    options: { readonly replace: boolean; readonly assertExpected?: () => Promise<void> },
  ): Promise<boolean> {
    const { directoryName } = version;
    const replaced = await this.runAndUpdate(directoryName, () =>
      this.publisher.publish(staging, version, {
        ...options,
        assertFree: (isThere) => this.settings.assertFree(version, options.replace, isThere),
        // At once: web servers that read the directory show the new version from now on.
        onMoved: () => this.watcher.set(directoryName, version),
      }),
    );
    this.lastPublished = performance.now();
    return replaced;
  }

  /**
   * Moves a copied-in directory that was removed back to its place, under the version's lock.
   * @param assertExpected throws when it must not be moved
   * @throws Refusal `version_exists` when something is there; no system call replaces a link by a directory
   */
  async putBack(id: VersionId, from: string, assertExpected: () => Promise<void>): Promise<void> {
    const { disk, layout, locks, pointers } = this.tools;
    const { project, label, directoryName } = id;
    const pointer = layout.pointer(directoryName);
    const move = () =>
      withRollback(async (undo) => {
        await assertExpected();
        this.settings.assertFree(id, true);
        await assertSpelling(this.tools, id);
        if ((await pointers.targetOf(directoryName)) !== undefined) {
          throw refuse.directoryInTheWay(project, label);
        }
        undo.push(async () => {
          if ((await unless(NOTHING_THERE, lstat(from))) === undefined) await disk.rename(pointer, from);
        });
        await disk.rename(from, pointer);
        await syncDirectory(disk, layout.root);
      });
    await this.runAndUpdate(directoryName, async () => {
      await locks.run(directoryName, move);
      await this.readAgain(directoryName);
    });
  }

  /** Runs a change, then updates the catalogue and the public links. */
  private async runAndUpdate<T>(directoryName: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change();
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
