import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Removal, RemovedVersion } from '../../../application/index.js';
import {
  isKeptWhenRemoved,
  keptFor,
  maxInRound,
  parseDirectoryName,
  refuse,
  type Version,
  type VersionId,
  versionOf,
} from '../../../domain/index.js';
import { syncDirectory } from '../../../node/directories.js';
import { isDone, NO_LINKS, unless } from '../../../node/system-errors.js';
import { parseRecord } from '../catalogue/read-generation.js';
import { readCopied } from '../copied/copied-directories.js';
import { type Disk, NOTHING_THERE, type UndoSteps } from '../disk.js';
import type { LastRound } from '../housekeeping/last-round.js';
import type { Lease } from '../housekeeping/lease.js';
import type { UnusedFiles } from '../housekeeping/unused-files.js';
import type { Layout } from '../layout.js';
import type { Pointers } from '../publishing/pointers.js';
import type { Report } from '../report.js';

/** Names that are read in one turn of the event loop. */
const FILES_IN_TURN = 1_000;

/**
 * Keeps removed and replaced versions, so that they can be restored for a while. An upload's archive and record are linked
 * into `.lectern/removed`, which takes no space while the generation is there, and none on a full disk; the unpacked site
 * is deleted with the generation. A copied-in directory is moved there.
 */
export class RemovedVersions {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Pick<Lease, 'nextName'>,
    private readonly lastRound: Pick<LastRound, 'timeOfRemoval'>,
    private readonly pointers: Pointers,
    private readonly unused: UnusedFiles,
    /** Time for which something is kept, in milliseconds; undefined keeps nothing, and leaves alone what others keep. */
    private readonly setting: number | undefined,
    private readonly report: Report,
  ) {}

  /** Whether a version that is removed or replaced now is kept. */
  keeps(version: Parameters<typeof isKeptWhenRemoved>[0], isReplaced: boolean): boolean {
    return this.keepMs > 0 && isKeptWhenRemoved(version, new Date(), isReplaced);
  }

  private get keepMs(): number {
    return this.setting ?? 0;
  }

  /** Keeps archive and record of a generation that is about to be removed or replaced. */
  async keep(directoryName: string, name: string, isReplaced: boolean, undo: UndoSteps): Promise<void> {
    const { archive, record } = this.layout.generation(directoryName, name);
    const published = await unless(['ENOENT'], stat(record));
    const removedAt = await this.lastRound.timeOfRemoval(published?.mtime);
    const base = this.pathOf({ name, removedAt, isReplaced, directoryName });
    undo.push(async () => {
      for (const part of ['zip', 'json']) await unless(['ENOENT'], this.disk.unlink(`${base}.${part}`));
    });
    // The record of a damaged generation may be missing.
    await unless(['ENOENT', ...NO_LINKS], this.disk.link(record, `${base}.json`));
    if (!(await isDone(['ENOENT', ...NO_LINKS], this.disk.link(archive, `${base}.zip`))))
      this.report('a version cannot be restored: its archive could not be linked', { directoryName });
    await syncDirectory(this.disk, this.layout.removed);
  }

  /** Returns a path for moving a copied-in directory that is removed or replaced. */
  async placeFor(directoryName: string, isReplaced: boolean): Promise<string> {
    const name = this.lease.nextName();
    const removedAt = await this.lastRound.timeOfRemoval();
    return `${this.pathOf({ name, removedAt, isReplaced, directoryName })}.site`;
  }

  /** Returns the kept versions that are not published, newest removal first. */
  async list(): Promise<readonly RemovedVersion[]> {
    const listed: RemovedVersion[] = [];
    for (const { version: id, part, ...facts } of await this.removals()) {
      const { directoryName, revision: name } = id;
      const removed = { ...facts, directoryName, name };
      // A crash between the links and the change leaves links to what is still published.
      if ((await this.pointers.currentGeneration(directoryName)) === name) continue;
      const version = part === 'zip' ? await this.uploadOf(removed, id) : await this.copiedOf(removed, id);
      if (version !== undefined) listed.push({ ...facts, version });
    }
    return listed;
  }

  /** Lists the same by the names of the files alone. */
  async removals(): Promise<readonly (Removal & { readonly part: RemovedPart })[]> {
    const now = new Date();
    const listed = new Map<string, Removal & { readonly part: RemovedPart }>();
    for (const [index, file] of (await readdir(this.layout.removed)).entries()) {
      if (index % FILES_IN_TURN === FILES_IN_TURN - 1) await nextTurn();
      const { removed, part } = parseRemovedName(file) ?? {};
      const id = removed && parseDirectoryName(removed.directoryName);
      if (removed === undefined || id === undefined || part === undefined || part === 'json') continue;
      const { name, removedAt, isReplaced } = removed;
      const expiresAt = this.endOf(removed);
      const known = listed.get(name);
      if (expiresAt <= now || (known !== undefined && known.removedAt > removedAt)) continue;
      listed.set(name, { version: { ...id, revision: name }, part, removedAt, isReplaced, expiresAt });
    }
    return [...listed.values()].sort((a, b) => b.removedAt.getTime() - a.removedAt.getTime());
  }

  /** The files of a kept publication, or of all of a version, without their order. */
  async filesOf(directoryName: string, name?: string): Promise<readonly string[]> {
    const files = await readdir(this.layout.removed);
    return files.filter((file) => {
      const { removed } = parseRemovedName(file) ?? {};
      return removed?.directoryName === directoryName && (name ?? removed.name) === removed.name;
    });
  }

  /** The paths of the files of a kept publication. @throws Refusal `version_not_found` when it is no longer kept */
  async partsOf(version: Version): Promise<Partial<Record<RemovedPart, string>>> {
    const { directoryName, project, label, revision } = version;
    const files = await this.filesOf(directoryName, revision);
    const places = files.map((file) => [parseRemovedName(file)?.part, join(this.layout.removed, file)]);
    const parts: Partial<Record<RemovedPart, string>> = Object.fromEntries(places);
    if (parts.zip === undefined && parts.site === undefined) throw refuse.notRestorable(project, label);
    return parts;
  }

  /** Removes a kept publication, or all of a version. */
  async purge(directoryName: string, name?: string): Promise<void> {
    // The archive before its record, which alone is nothing to restore.
    for (const file of [...(await this.filesOf(directoryName, name))].sort().reverse()) {
      // In one step: half of a directory must not be restored.
      const trashed = this.layout.trashed(this.lease.nextName());
      await unless(['ENOENT'], this.disk.rename(join(this.layout.removed, file), trashed));
      this.unused.path(trashed);
    }
  }

  /**
   * Deletes what has been kept long enough, what was removed first in front.
   * @param all deletes also what one round leaves for later
   * @returns how many publications were left for later
   */
  async expire(now: Date, all: boolean): Promise<number> {
    if (this.setting === undefined) return 0;
    const removals = new Map<string, { readonly removed: Removed; readonly files: string[] }>();
    for (const file of await readdir(this.layout.removed)) {
      const { removed } = parseRemovedName(file) ?? {};
      if (removed === undefined) continue;
      const removal = removals.get(removedName(removed)) ?? { removed, files: [] };
      removal.files.push(file);
      removals.set(removedName(removed), removal);
    }
    const expired = [...removals.values()]
      .filter(({ removed }) => this.setting === 0 || this.endOf(removed) <= now)
      .sort((a, b) => a.removed.removedAt.getTime() - b.removed.removedAt.getTime());
    // Where nothing is to be kept, no clock decides.
    const most = all || this.setting === 0 ? expired.length : maxInRound(removals.size);
    for (const file of expired.slice(0, most).flatMap(({ files }) => files)) {
      await this.disk.rm(join(this.layout.removed, file), { recursive: true, force: true });
    }
    return Math.max(0, expired.length - most);
  }

  private async uploadOf(removed: Removed, id: VersionId): Promise<Version> {
    const text = await unless(NOTHING_THERE, readFile(`${this.pathOf(removed)}.json`, 'utf8'));
    const record = text === undefined ? undefined : parseRecord(text, id);
    return versionOf(id, removed.name, record ?? { publishedAt: removed.removedAt });
  }

  private async copiedOf(removed: Removed, id: VersionId): Promise<Version | undefined> {
    const version = await readCopied(id, `${this.pathOf(removed)}.site`, async () => ({}));
    return version && { ...version, revision: removed.name };
  }

  private endOf(removed: Removed): Date {
    return new Date(removed.removedAt.getTime() + keptFor(removed, this.keepMs));
  }

  private pathOf(removed: Removed): string {
    return join(this.layout.removed, removedName(removed));
  }
}

/** A removed or replaced publication, as the names of its files in `.lectern/removed` describe it. */
interface Removed {
  /** The generation, or a name from a lease for a copied-in directory. */
  readonly name: string;
  readonly removedAt: Date;
  readonly isReplaced: boolean;
  readonly directoryName: string;
}

/** `zip` and `json`: archive and record of an upload. `site`: a copied-in directory. */
type RemovedPart = 'zip' | 'json' | 'site';

/** Names begin with this and end with the part. The longest directory name leaves room for both. */
export function removedName({ name, removedAt, isReplaced, directoryName }: Removed): string {
  return `${name}.${removedAt.getTime().toString(36)}.${isReplaced ? 'replaced' : 'deleted'}.${directoryName}`;
}

/** Parses a name in `.lectern/removed`; undefined for one that is not Lectern's. */
export function parseRemovedName(
  file: string,
): { readonly removed: Removed; readonly part: RemovedPart } | undefined {
  const [, name, time, how, directoryName, part] =
    /^([^.]+\.\d+)\.([0-9a-z]+)\.(replaced|deleted)\.(.+)\.(zip|json|site)$/.exec(file) ?? [];
  if (name === undefined || directoryName === undefined) return undefined;
  const removedAt = new Date(Number.parseInt(time ?? '', 36));
  return {
    removed: { name, removedAt, isReplaced: how === 'replaced', directoryName },
    part: part as RemovedPart,
  };
}
