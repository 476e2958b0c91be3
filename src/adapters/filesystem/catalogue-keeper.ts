import { type Dirent, readFileSync, readlinkSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ReadDocinfo } from '../../application/index.js';
import { Catalogue, isVersionByHand, parseDirectoryName, refuse, type Version } from '../../domain/index.js';
import { readByHand } from './by-hand.js';
import type { Generation, Layout } from './layout.js';
import { parseRecord, versionOf } from './version-record.js';

/** Where a version's files are. */
export interface Place {
  readonly site: string;
  /** Undefined for a version put there by hand. */
  readonly generation?: Generation;
}

interface Known {
  readonly version: Version;
  readonly place: Place;
}

/** Names handled before other work gets its turn. */
const NAMES_AT_A_TIME = 200;
/** A time stamp with a fraction of a second has the resolution of a timer tick; others may be two seconds coarse. */
const FINE_MS = 100;
const COARSE_MS = 2_100;
/** The least time between two looks into the directories put there by hand, whose inner changes show nowhere else. */
const LOOK_INSIDE_MS = 2_000;

/**
 * What the docs directory holds, kept in memory. Each question first asks for the directory's time stamp; only
 * when that has moved is the directory read, and only names that are new or point elsewhere are looked into.
 */
export class CatalogueKeeper {
  private current = Catalogue.empty;
  private known = new Map<string, Known>();
  private readonly places = new WeakMap<Version, Place>();
  private stamp: bigint | undefined;
  /** Our own changes so far: a scan that one of them overtook is not believed. */
  private changes = 0;
  private nextLook = 0;
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;

  constructor(
    private readonly layout: Layout,
    private readonly readDocinfo: ReadDocinfo,
  ) {}

  /**
   * The catalogue as it is now.
   * @throws Refusal `unavailable` when the docs directory cannot be read
   */
  async catalogue(): Promise<Catalogue> {
    await this.refresh();
    return this.current;
  }

  placeOf(version: Version): Place | undefined {
    return this.places.get(version) ?? this.known.get(version.directoryName)?.place;
  }

  /** Takes in a version that this process has just published. */
  add(version: Version, generation: Generation): void {
    this.changes += 1;
    this.remember(this.known, { version, place: { site: generation.site, generation } });
    this.current = this.current.with(version);
  }

  /** Forgets a version that this process has just removed. */
  drop(directoryName: string): void {
    this.changes += 1;
    const version = this.known.get(directoryName)?.version;
    this.known.delete(directoryName);
    if (version !== undefined) this.current = this.current.without(version);
  }

  /** Whoever asks while a look is under way waits for the next one: the running one may have been too early. */
  private refresh(): Promise<void> {
    if (this.running === undefined) {
      this.running = this.look().finally(() => {
        this.running = undefined;
      });
      return this.running;
    }
    this.waiting ??= this.running
      .catch(() => {})
      .then(() => {
        this.waiting = undefined;
        return this.refresh();
      });
    return this.waiting;
  }

  private async look(): Promise<void> {
    try {
      const { mtimeNs } = await stat(this.layout.root, { bigint: true });
      if (mtimeNs !== this.stamp) await this.scan(mtimeNs);
      else if (Date.now() >= this.nextLook) await this.lookInside();
    } catch (error) {
      this.stamp = undefined;
      throw refuse.storageUnavailable({ cause: error });
    }
  }

  private async scan(mtimeNs: bigint): Promise<void> {
    const startedAt = Date.now();
    const changes = this.changes;
    const known = new Map<string, Known>();
    let handled = 0;
    for (const entry of await readdir(this.layout.root, { withFileTypes: true })) {
      const found = await this.knownOf(entry);
      if (found !== undefined) this.remember(known, found);
      handled += 1;
      if (handled % NAMES_AT_A_TIME === 0) await new Promise(setImmediate);
    }
    if (changes !== this.changes) return;
    if (!sameVersions(known, this.known)) {
      this.current = Catalogue.of([...known.values()].map(({ version }) => version));
    }
    this.known = known;
    // Another change may carry the same time stamp: one that fresh can't be trusted yet (as in git's index).
    const resolution = mtimeNs % 1_000_000_000n === 0n ? COARSE_MS : FINE_MS;
    this.stamp = startedAt - Number(mtimeNs / 1_000_000n) > resolution ? mtimeNs : undefined;
  }

  private async knownOf(entry: Dirent): Promise<Known | undefined> {
    const { name } = entry;
    if (name.startsWith('.')) return undefined;
    const before = this.known.get(name);
    const id = before?.version ?? parseDirectoryName(name);
    if (id === undefined) return undefined;
    if (entry.isSymbolicLink()) {
      const generation = this.layout.generationOf(name, linkTarget(this.layout.pointer(name)));
      if (generation !== undefined) {
        const place = this.layout.generation(name, generation);
        if (before?.place.generation?.directory === place.directory) return before;
        return readGeneration(name, place);
      }
    } else if (!entry.isDirectory()) return undefined;
    if (before !== undefined && before.place.generation === undefined) return before;
    return isVersionByHand(name) ? this.readByHand(name) : undefined;
  }

  private async readByHand(name: string): Promise<Known | undefined> {
    const id = parseDirectoryName(name);
    const site = this.layout.pointer(name);
    const version = id && (await readByHand(id, site, this.readDocinfo));
    return version && { version, place: { site } };
  }

  /** Reads the versions put there by hand again; spends at most a hundredth of the time on it. */
  private async lookInside(): Promise<void> {
    const startedAt = Date.now();
    const changes = this.changes;
    const byHand = [...this.known].filter(([, { place }]) => place.generation === undefined);
    for (const [name, before] of byHand) {
      const after = await this.readByHand(name);
      if (changes !== this.changes) return;
      if (after === undefined || same(before.version, after.version)) continue;
      this.remember(this.known, after);
      this.current = this.current.with(after.version);
    }
    this.nextLook = Date.now() + Math.max(LOOK_INSIDE_MS, 100 * (Date.now() - startedAt));
  }

  private remember(known: Map<string, Known>, found: Known): void {
    known.set(found.version.directoryName, found);
    this.places.set(found.version, found.place);
  }
}

function readGeneration(name: string, generation: Generation): Known | undefined {
  const id = parseDirectoryName(name);
  if (id === undefined) return undefined;
  const place: Place = { site: generation.site, generation };
  try {
    // Sync: a tenth of the cost of a promise for each of many thousand small files at start.
    const record = parseRecord(readFileSync(generation.record, 'utf8'), id);
    if (record !== undefined) return { version: versionOf(id, record), place };
  } catch {
    // A damaged record must not take a site offline that is whole.
  }
  const stats = statSync(generation.site, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return undefined;
  return { version: { ...id, publishedAt: stats.mtime, origin: 'upload' }, place };
}

/** Where a link leads; empty when it has just gone. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function sameVersions(a: ReadonlyMap<string, Known>, b: ReadonlyMap<string, Known>): boolean {
  if (a.size !== b.size) return false;
  for (const [name, { version }] of a) if (b.get(name)?.version !== version) return false;
  return true;
}

function same(a: Version, b: Version): boolean {
  return (
    a.publishedAt.getTime() === b.publishedAt.getTime() &&
    JSON.stringify(a.docinfo) === JSON.stringify(b.docinfo)
  );
}
