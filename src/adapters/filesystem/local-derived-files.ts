import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { assertDerived, type DerivedFiles, isRevision, type StoredFile } from '../../application/index.js';
import type { Catalogue } from '../../domain/index.js';
import { refusing, unless } from '../../node/system-errors.js';
import { diskRefusalOf, NOTHING_THERE, writeAndMove } from './disk.js';
import { recreateDirectories } from './docs-directory.js';
import { openEntry } from './reading/stored-file.js';
import type { Tools } from './tools.js';

/** Files derived from publications: `derived/<revision>/<name>`. Not synced, since they can be made again. */
export class LocalDerivedFiles implements DerivedFiles {
  private dropping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly tools: Tools,
    private readonly catalogue: () => Catalogue,
  ) {}

  async open(revision: string, name: string): Promise<StoredFile | undefined> {
    const entry = await refusing(diskRefusalOf, () => openEntry(this.place(revision, name)));
    return entry?.kind === 'file' ? entry.file : undefined;
  }

  async write(revision: string, name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = this.place(revision, name);
    await refusing(diskRefusalOf, async () => {
      await recreateDirectories(this.tools);
      await writeAndMove(this.tools, file, async (coming) => {
        const handle = await this.tools.disk.open(coming, 'wx');
        try {
          for await (const chunk of content) await handle.writeFile(chunk);
        } finally {
          await handle.close();
        }
      });
    });
    // The publication may have gone while the file was made.
    if (!this.revisions().has(revision)) await this.remove(revision);
  }

  /** Removes the files of removed publications, in the background. Failures are left for the next start. */
  drop(revisions: readonly string[]): void {
    for (const revision of revisions) this.dropping = this.dropping.then(() => this.remove(revision));
  }

  /** Waits for pending removals. */
  async close(): Promise<void> {
    await this.dropping;
  }

  private async remove(revision: string): Promise<void> {
    const { disk, layout, lease, report, unused } = this.tools;
    const home = join(layout.derived, revision);
    try {
      if ((await unless(NOTHING_THERE, lstat(home))) === undefined) return;
      const trash = layout.trashed(lease.nextName());
      await unless(['ENOENT'], disk.rename(home, trash));
      unused.path(trash);
    } catch (error) {
      report('could not remove derived files of a removed version', { err: error });
    }
  }

  /** The revisions that have derived files. */
  async derived(): Promise<readonly string[]> {
    return (await readdir(this.tools.layout.derived)).filter(isRevision);
  }

  /**
   * Removes files of unknown revisions, which a crash has left.
   * @param before result of `derived` before the catalogue was read: newer revisions may not be in it yet
   */
  async sweep(before: readonly string[]): Promise<void> {
    if (before.length === 0) return;
    const { disk, layout } = this.tools;
    const revisions = this.revisions();
    for (const revision of before) {
      if (!revisions.has(revision))
        await disk.rm(join(layout.derived, revision), { recursive: true, force: true });
    }
  }

  private revisions(): ReadonlySet<string> {
    return new Set(Array.from(this.catalogue().all(), ({ revision }) => revision));
  }

  /** @throws RangeError for names that `write` does not take */
  place(revision: string, name: string): string {
    assertDerived(revision, name);
    return join(this.tools.layout.derived, revision, name);
  }
}
