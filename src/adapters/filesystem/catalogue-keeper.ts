import { LRUCache } from 'lru-cache';
import { Catalogue, refuse, type Version } from '../../domain/index.js';
import type { DirectoryReader } from './directory-reader.js';
import { DirectoryStamp } from './directory-stamp.js';
import { KnownVersion } from './known-version.js';
import type { Generation, Layout } from './layout.js';

/** Of versions whose place is remembered: half a megabyte in all. */
const MOST_PLACES = 1_000;
/** The least time between two looks into the directories put there by hand, whose inner changes show nowhere else. */
const LOOK_INSIDE_MS = 2_000;
/** How soon a look confirms what is known after changes of this process; later when looking takes long. */
const CONFIRM_MS = 150;
const MOST_CONFIRM_MS = 500;
/** The part of the time that such looks may take: a fifth. */
const REST = 4;

/** Where a version's files are. */
export interface Place {
  readonly site: string;
  /** Undefined for a version put there by hand. */
  readonly generation?: Generation;
}

/**
 * What the docs directory holds, kept in memory. Each question first asks for the directory's time stamps; only
 * when those have moved is the directory read, and only names that are new or point elsewhere are looked into.
 *
 * Changes that this process makes are known without a look, so their stamp is taken over. Since another process may
 * have changed something in the same instant, a look soon afterwards confirms what is known.
 */
export class CatalogueKeeper {
  private current = Catalogue.empty;
  private known = new Map<string, KnownVersion>();
  /** Of those that are read just now. */
  private readonly places = new LRUCache<KnownVersion, Place>({ max: MOST_PLACES });
  private byHand: ReadonlySet<string> = new Set();
  private readonly stamp: DirectoryStamp;
  /** Names that this process has changed since the running look began: it may have been too early for them. */
  private changed = new Set<string>();
  private nextLook = 0;
  private isCurrentInTurn: boolean | undefined;
  private running: Promise<void> | undefined;
  private waiting: Promise<void> | undefined;
  private confirmation: NodeJS.Timeout | undefined;
  private lastScanMs = 0;

  constructor(
    private readonly layout: Layout,
    private readonly reader: DirectoryReader,
  ) {
    this.stamp = new DirectoryStamp(layout.root, () => this.confirmSoon());
  }

  /**
   * The catalogue as it is now.
   * @throws Refusal `unavailable` when the docs directory cannot be read
   */
  async catalogue(): Promise<Catalogue> {
    if (!this.isCurrent()) await this.refresh();
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
    const known = version instanceof KnownVersion ? version : this.known.get(version.directoryName);
    if (known === undefined) return undefined;
    let place = this.places.get(known);
    if (place === undefined) {
      place = this.findPlace(known);
      this.places.set(known, place);
    }
    return place;
  }

  /**
   * Makes one step of a change to the docs directory itself. Readers don't wait for it: until the version is added or
   * dropped, it is what it was before.
   */
  step<T>(make: () => Promise<T>): Promise<T> {
    return this.stamp.step(make);
  }

  /** A change has failed: who knows which of its steps were made, and taken back. */
  distrust(): void {
    this.stamp.distrust();
  }

  /** Takes in a version that this process has just published. */
  add(version: KnownVersion): void {
    this.changed.add(version.directoryName);
    this.known.set(version.directoryName, version);
    this.current = this.current.with(version);
  }

  /** Forgets a version that this process has just removed. */
  drop(directoryName: string): void {
    this.changed.add(directoryName);
    const version = this.known.get(directoryName);
    this.known.delete(directoryName);
    if (version !== undefined) this.current = this.current.without(version);
  }

  /** Ends background work, and waits for it. */
  async close(): Promise<void> {
    clearTimeout(this.confirmation);
    await this.running?.catch(() => {});
    clearTimeout(this.confirmation);
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
      await this.stamp.look();
      if (!this.stamp.isTrustedWholly) await this.scan();
      if (this.isToLookInside()) await this.lookInside();
    } catch (error) {
      this.stamp.distrust();
      throw refuse.storageUnavailable({ cause: error });
    }
  }

  private findPlace({ directoryName, target }: KnownVersion): Place {
    const name = target && this.layout.generationOf(directoryName, target);
    if (name === undefined) return { site: this.layout.pointer(directoryName) };
    const generation = this.layout.generation(directoryName, name);
    return { site: generation.site, generation };
  }

  private isCurrent(): boolean {
    return this.stamp.isTrusted() && !this.isToLookInside();
  }

  private confirmSoon(): void {
    if (this.confirmation !== undefined) return;
    const after = Math.min(Math.max(CONFIRM_MS, REST * this.lastScanMs), MOST_CONFIRM_MS);
    this.confirmation = setTimeout(() => {
      this.confirmation = undefined;
      // Who asks next is told why it failed.
      if (!this.stamp.isTrustedWholly) this.refresh().catch(() => {});
    }, after).unref();
  }

  private isToLookInside(): boolean {
    return this.byHand.size > 0 && performance.now() >= this.nextLook;
  }

  private async scan(): Promise<void> {
    const startedAt = performance.now();
    const { known, byHand } = await this.reader.read(this.known);
    for (const name of this.changed) {
      const own = this.known.get(name);
      if (own === undefined) known.delete(name);
      else known.set(name, own);
    }
    const come = [...known.values()].filter((version) => this.known.get(version.directoryName) !== version);
    const gone = [...this.known.values()].filter(({ directoryName }) => !known.has(directoryName));
    this.current = this.current.changed({ come, gone });
    this.known = known;
    this.byHand = byHand;
    this.lastScanMs = performance.now() - startedAt;
    if (!this.stamp.wasRead(startedAt)) this.confirmSoon();
  }

  /** Reads the versions put there by hand again; spends at most a hundredth of the time on it. */
  private async lookInside(): Promise<void> {
    const startedAt = performance.now();
    for (const name of this.byHand) {
      const after = await this.reader.readByHand(name);
      if (this.changed.has(name)) continue;
      const before = this.known.get(name);
      if (after === undefined && before !== undefined) {
        this.known.delete(name);
        this.current = this.current.without(before);
      } else if (after !== undefined && before?.isLike(after) !== true) {
        this.known.set(name, after);
        this.current = this.current.with(after);
      }
    }
    this.nextLook = performance.now() + Math.max(LOOK_INSIDE_MS, 100 * (performance.now() - startedAt));
  }
}
