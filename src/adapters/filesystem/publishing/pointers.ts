import { lstat, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { unless } from '../../../node/system-errors.js';
import { type Disk, linkTarget, NOTHING_THERE } from '../disk.js';
import type { Lease } from '../housekeeping/lease.js';
import type { Layout } from '../layout.js';

/** The entry with a version's name in the docs directory. */
export interface Entry {
  /** `directory`: or a file. `dangling`: a link to a missing generation, so that readers find nothing. */
  readonly kind: 'nothing' | 'directory' | 'link' | 'dangling';
  /** Target of a link. */
  readonly target?: string;
  /** The generation that it leads to; undefined for a link that is not Lectern's. */
  readonly generation?: string | undefined;
}

/** Reads and sets links in the docs directory. Entries that are not Lectern's are not overwritten. */
export class Pointers {
  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly lease: Lease,
  ) {}

  /** Reads the entry with a version's name. */
  async entryOf(directoryName: string): Promise<Entry> {
    const pointer = this.layout.pointer(directoryName);
    const target = await linkTarget(pointer);
    if (target === undefined) {
      const stats = await unless(NOTHING_THERE, lstat(pointer));
      if (stats?.isSymbolicLink()) return this.entryOf(directoryName);
      return { kind: stats === undefined ? 'nothing' : 'directory' };
    }
    const generation = this.layout.generationOf(directoryName, target);
    if (generation === undefined) return { kind: 'link', target };
    const { directory } = this.layout.generation(directoryName, generation);
    const isThere = (await unless(NOTHING_THERE, stat(directory))) !== undefined;
    // The generation may have been replaced, and then removed.
    if (!isThere && (await linkTarget(pointer)) !== target) return this.entryOf(directoryName);
    return { kind: isThere ? 'link' : 'dangling', target, generation };
  }

  /** The generation that the pointer links to; undefined for a copied-in directory, and for none. */
  async currentGeneration(directoryName: string): Promise<string | undefined> {
    const target = await linkTarget(this.layout.pointer(directoryName));
    return target === undefined ? undefined : this.layout.generationOf(directoryName, target);
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

interface Plan<Step> {
  readonly step: Step;
  /** The generation to keep before that step, so that it can be restored. */
  readonly kept?: string | undefined;
}

/**
 * Plans how an entry becomes the link to a new generation: `create` it, exclusively, since something may be there by then;
 * `heal` a dangling link, or `replace` another one; or `displace` a directory first.
 * @param options.over replaces only this generation, which is damaged and not kept; another one has `superseded` it
 * @param options.keeps whether a version that is replaced is kept
 */
export function planMove(
  { kind, generation }: Entry,
  { replace, over, keeps }: { readonly replace: boolean; readonly over?: string; readonly keeps: boolean },
): Plan<'superseded' | 'refuse' | 'create' | 'heal' | 'displace' | 'replace'> {
  if (over !== undefined && generation !== over) return { step: 'superseded' };
  if (kind === 'nothing') return { step: 'create' };
  if (kind === 'dangling') return { step: 'heal' };
  if (!replace) return { step: 'refuse' };
  if (kind === 'directory') return { step: 'displace' };
  return { step: 'replace', kept: keeps && over === undefined ? generation : undefined };
}

/**
 * Plans how an entry is removed: a link is unlinked; a directory moves to where it is kept, or to the trash.
 * @param keeps whether a version that is removed is kept
 */
export function planRemoval(entry: Entry, keeps: boolean): Plan<'none' | 'unlink' | 'keep' | 'discard'> {
  if (entry.kind === 'nothing') return { step: 'none' };
  if (entry.kind === 'directory') return { step: keeps ? 'keep' : 'discard' };
  return { step: 'unlink', kept: keeps ? entry.generation : undefined };
}
