import { type BigIntStats, type Dirent, readlinkSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { ReadDocinfo } from '../../application/index.js';
import { Catalogue, isVersionByHand, parseDirectoryName, refuse, type Version } from '../../domain/index.js';
import { readByHand } from './by-hand.js';
import { errnoOf, RUN_SHORT } from './disk.js';
import { isWhole, type Known, type Place, readGeneration, sameFacts, sameVersions } from './known.js';
import type { Generation, Layout } from './layout.js';

/** Names handled before other work gets its turn. */
const NAMES_AT_A_TIME = 200;
/** A time stamp with a fraction of a second has the resolution of a timer tick; others may be two seconds coarse. */
const FINE_MS = 100;
const COARSE_MS = 2_100;
/** The least time between two looks into the directories put there by hand, whose inner changes show nowhere else. */
const LOOK_INSIDE_MS = 2_000;

/**
 * What the docs directory holds, kept in memory. Each question first asks for the directory's time stamps; only
 * when those have moved is the directory read, and only names that are new or point elsewhere are looked into.
 * Stamps are only ever compared with one another, never with a clock that someone may set.
 */
export class CatalogueKeeper {
  private current = Catalogue.empty;
  private known = new Map<string, Known>();
  private byHand: ReadonlySet<string> = new Set();
  private readonly places = new WeakMap<Version, Place>();
  /** The stamp that was seen last, since when, and whether the directory was read when it could be relied on. */
  private seen = { stamp: '', since: 0, isRead: false };
  /** Names that this process has changed since the running look began: it may have been too early for them. */
  private changed = new Set<string>();
  private nextLook = 0;
  private isCurrentInTurn: boolean | undefined;
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

  /**
   * The same without waiting; undefined when it takes a look into the directory to be certain. One look at the
   * time stamp is good for one turn of the event loop: all requests that are handled in it came before the look.
   */
  catalogueNow(): Catalogue | undefined {
    if (this.isCurrentInTurn === undefined) {
      this.isCurrentInTurn = this.isCurrent();
      setImmediate(() => {
        this.isCurrentInTurn = undefined;
      });
    }
    return this.isCurrentInTurn ? this.current : undefined;
  }

  placeOf(version: Version): Place | undefined {
    return this.places.get(version) ?? this.known.get(version.directoryName)?.place;
  }

  /** Takes in a version that this process has just published. */
  add(version: Version, generation: Generation): void {
    this.changed.add(version.directoryName);
    this.remember(this.known, { version, place: { site: generation.site, generation } });
    this.current = this.current.with(version);
  }

  /** Forgets a version that this process has just removed. */
  drop(directoryName: string): void {
    this.changed.add(directoryName);
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
    this.changed = new Set();
    try {
      const stats = await stat(this.layout.root, { bigint: true });
      if (!this.isRead(stats)) await this.scan(stats);
      else if (this.isToLookInside()) await this.lookInside();
    } catch (error) {
      this.seen = { stamp: '', since: 0, isRead: false };
      throw refuse.storageUnavailable({ cause: error });
    }
  }

  private isCurrent(): boolean {
    try {
      return this.isRead(statSync(this.layout.root, { bigint: true })) && !this.isToLookInside();
    } catch {
      return false;
    }
  }

  private isRead({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): boolean {
    const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
    if (stamp !== this.seen.stamp) this.seen = { stamp, since: performance.now(), isRead: false };
    return this.seen.isRead;
  }

  private isToLookInside(): boolean {
    return this.byHand.size > 0 && performance.now() >= this.nextLook;
  }

  private async scan({ ctimeNs }: BigIntStats): Promise<void> {
    const startedAt = performance.now();
    const known = new Map<string, Known>();
    const byHand = new Set<string>();
    let handled = 0;
    for (const entry of await readdir(this.layout.root, { withFileTypes: true })) {
      const found = await this.knownOf(entry, byHand);
      if (found !== undefined) this.remember(known, found);
      handled += 1;
      if (handled % NAMES_AT_A_TIME === 0) await new Promise(setImmediate);
    }
    for (const name of this.changed) {
      const own = this.known.get(name);
      if (own === undefined) known.delete(name);
      else known.set(name, own);
    }
    if (!sameVersions(known, this.known)) {
      this.current = Catalogue.of([...known.values()].map(({ version }) => version));
    }
    this.known = known;
    this.byHand = byHand;
    // Another change may still get the same stamp, as in git's index, while it is as young as a timer's tick.
    const resolution = ctimeNs % 1_000_000_000n === 0n ? COARSE_MS : FINE_MS;
    this.seen.isRead = startedAt - this.seen.since > resolution;
  }

  private async knownOf(entry: Dirent, byHand: Set<string>): Promise<Known | undefined> {
    const { name } = entry;
    if (name.startsWith('.')) return undefined;
    const before = this.known.get(name);
    const id = before?.version ?? parseDirectoryName(name);
    if (id === undefined) return undefined;
    if (entry.isSymbolicLink()) {
      const generation = this.layout.generationOf(name, linkTarget(this.layout.pointer(name)));
      if (generation !== undefined) {
        const place = this.layout.generation(name, generation);
        const isSame = before?.place.generation?.directory === place.directory;
        return isSame && isWhole(before) ? before : readGeneration(name, place);
      }
    } else if (!entry.isDirectory()) return undefined;
    if (!isVersionByHand(name)) return undefined;
    byHand.add(name);
    if (before !== undefined && before.place.generation === undefined) return before;
    return this.readByHand(name);
  }

  private async readByHand(name: string): Promise<Known | undefined> {
    const id = parseDirectoryName(name);
    const site = this.layout.pointer(name);
    try {
      const version = id && (await readByHand(id, site, this.readDocinfo));
      // Published by now, maybe by another process: the next look sees it.
      const isPublished = this.layout.generationOf(name, linkTarget(site)) !== undefined;
      return version && !isPublished ? { version, place: { site } } : undefined;
    } catch (error) {
      if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
      // One that is out of reach, behind a link say, is no reason to serve none.
      return undefined;
    }
  }

  /** Reads the versions put there by hand again; spends at most a hundredth of the time on it. */
  private async lookInside(): Promise<void> {
    const startedAt = performance.now();
    for (const name of this.byHand) {
      const after = await this.readByHand(name);
      if (this.changed.has(name)) continue;
      const before = this.known.get(name);
      if (after === undefined && before !== undefined) {
        this.known.delete(name);
        this.current = this.current.without(before.version);
      } else if (after !== undefined && !(before && sameFacts(before.version, after.version))) {
        this.remember(this.known, after);
        this.current = this.current.with(after.version);
      }
    }
    this.nextLook = performance.now() + Math.max(LOOK_INSIDE_MS, 100 * (performance.now() - startedAt));
  }

  private remember(known: Map<string, Known>, found: Known): void {
    known.set(found.version.directoryName, found);
    this.places.set(found.version, found.place);
  }
}

/** Where a link leads; empty when it has just gone. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
