import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDirectoryName } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { DirectoryStamp } from '../catalogue/directory-stamp.js';
import { NOTHING_THERE } from '../disk.js';
import type { Layout } from '../layout.js';
import { parseRemovedName } from './removed-versions.js';

/** The size of one file in `.lectern/removed`, which never changes. */
interface KeptFile {
  readonly project: string;
  readonly bytes: number;
}

/**
 * Bytes of what is kept of each project, without copied-in directories. The directory is read again only when its time
 * stamps have moved, and only new files are looked at.
 */
export class RemovedSizes {
  private readonly stamp: DirectoryStamp;
  private files: ReadonlyMap<string, KeptFile> = new Map();
  private byProject: ReadonlyMap<string, number> = new Map();
  private reading: Promise<void> = Promise.resolve();

  constructor(private readonly layout: Layout) {
    this.stamp = new DirectoryStamp(layout.removed);
  }

  /** @throws an error with an errno code when the directory cannot be read */
  async of(project: string): Promise<number> {
    const reading = this.reading.then(() => this.refresh());
    this.reading = reading.catch(() => {});
    await reading;
    return this.byProject.get(project) ?? 0;
  }

  private async refresh(): Promise<void> {
    // A read-only docs directory may have none.
    const mayHaveChanged = await unless(NOTHING_THERE, (async () => this.stamp.look())());
    if (mayHaveChanged !== true) return;
    const isRead = this.stamp.reading();
    const files = new Map<string, KeptFile>();
    const byProject = new Map<string, number>();
    for (const name of await readdir(this.layout.removed)) {
      const file = this.files.get(name) ?? (await this.fileOf(name));
      if (file === undefined) continue;
      files.set(name, file);
      byProject.set(file.project, (byProject.get(file.project) ?? 0) + file.bytes);
    }
    this.files = files;
    this.byProject = byProject;
    isRead();
  }

  /** @returns undefined for what is gone, is a directory, or is not Lectern's */
  private async fileOf(name: string): Promise<KeptFile | undefined> {
    const { removed, part } = parseRemovedName(name) ?? {};
    const id = removed && parseDirectoryName(removed.directoryName);
    if (id === undefined || part === 'site') return undefined;
    const facts = await unless(NOTHING_THERE, stat(join(this.layout.removed, name)));
    return facts && { project: id.project, bytes: facts.size };
  }
}
