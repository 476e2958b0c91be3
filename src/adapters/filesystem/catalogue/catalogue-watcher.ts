import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { CatalogueChange } from '../../../application/index.js';
import { Catalogue, refuse, type Version } from '../../../domain/index.js';
import type { DirectoryReader } from './directory-reader.js';

/** Interval between two looks at the docs directory's time stamps. */
const POLL_MS = 1_000;
/** Min. time between two readings of copied-in directories, whose inner changes show nowhere else: every second poll. */
const READ_AGAIN_MS = 1_900;
/** Rest after reading copied-in directories, as a multiple of the time that it took. */
const READ_AGAIN_REST = 100;
/** Rest after a scan, as a multiple of the time that it took. */
const SCAN_REST = 4;
/** A time stamp with a fraction of a second has the resolution of a timer tick; others may be two seconds coarse. */
const FINE_MS = 100;
const COARSE_MS = 2_100;

/** Names compared before other work gets its turn. */
const COMPARED_AT_A_TIME = 2_000;

/** A version's name, and the version under it; undefined when there is none. */
type Found = readonly [name: string, version: Version | undefined];

export interface WatchOptions {
  /** Interval between two polls in milliseconds; 1 s. */
  readonly pollMs?: number | undefined;
  /** Awaited after each poll that could read the directory; must not throw. */
  readonly afterPoll: () => Promise<void>;
}

/**
 * The catalogue of a docs directory, kept in memory by polling. Each poll compares the directory's time stamps with
 * those of the last scan. It scans again when they differ, and when they were so fresh at the last scan that a later
 * change could bear the same ones (as git does with its index). What this process changes is applied at once.
 *
 * A change by others is known after one poll and one scan: a second, mostly. Scanning takes at most a fifth of the time,
 * so where a scan takes longer than a quarter of a second (tens of thousands of versions), it may be five scans.
 */
export class CatalogueWatcher {
  private current = Catalogue.empty;
  /** All known versions, by directory name. */
  private readonly known = new Map<string, Version>();
  /** Names whose content may change without a change to the docs directory itself. */
  private readAgain: ReadonlySet<string> = new Set();
  /** The stamp that was seen last, and when it was seen first, by `performance.now()`. */
  private seen = { stamp: '', isCoarse: false, since: 0 };
  /** The stamp that what is known belongs to. */
  private scanned = '';
  private nextScan = 0;
  private nextReading = 0;
  /** Names that this process has changed since the running look began: it may have been too early for them. */
  private changed = new Set<string>();
  private failure: unknown;
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();
  private isClosed = false;

  /** @param root the docs directory */
  constructor(
    private readonly root: string,
    private readonly reader: DirectoryReader,
    private readonly options: WatchOptions,
  ) {}

  /**
   * Reads the directory, and watches it from then on.
   * @throws an error with an errno code when it cannot be read
   */
  async start(): Promise<void> {
    await this.look();
    // Later scans take a fraction of the first one, which has read every record.
    this.nextScan = 0;
    this.pollLater();
  }

  /** @throws Refusal `unavailable` when the directory could not be read at the last poll */
  catalogue(): Catalogue {
    if (this.failure !== undefined) throw refuse.storageUnavailable({ cause: this.failure });
    return this.current;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Takes over what this process knows to stand under a version's name.
   * @param version undefined when nothing does
   */
  set(directoryName: string, version: Version | undefined): void {
    this.changed.add(directoryName);
    this.apply([[directoryName, version]]);
  }

  /** Makes the next poll scan, whatever the time stamps say. */
  scanSoon(): void {
    this.scanned = '';
  }

  /** Ends background work, and waits for it. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.polling;
  }

  private pollLater(): void {
    if (this.isClosed) return;
    this.timer = setTimeout(() => {
      this.polling = this.poll().finally(() => this.pollLater());
    }, this.options.pollMs ?? POLL_MS).unref();
  }

  private async poll(): Promise<void> {
    try {
      await this.look();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      return;
    }
    await this.options.afterPoll();
  }

  private async look(): Promise<void> {
    this.changed = new Set();
    this.see(await stat(this.root, { bigint: true }));
    if (this.scanned !== this.seen.stamp && performance.now() >= this.nextScan) await this.scan();
    if (this.readAgain.size > 0 && performance.now() >= this.nextReading) await this.readNamesAgain();
  }

  private see({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): void {
    const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
    if (stamp === this.seen.stamp) return;
    this.seen = { stamp, isCoarse: ctimeNs % 1_000_000_000n === 0n, since: performance.now() };
  }

  private async scan(): Promise<void> {
    const startedAt = performance.now();
    const { stamp, isCoarse, since } = this.seen;
    const { versions, readAgain } = await this.reader.read(this.known);
    const differences = await this.differencesTo(versions);
    this.apply(differences.filter(([name]) => !this.changed.has(name)));
    this.readAgain = readAgain;
    if (startedAt - since > (isCoarse ? COARSE_MS : FINE_MS)) this.scanned = stamp;
    this.nextScan = performance.now() + SCAN_REST * (performance.now() - startedAt);
  }

  /** Other work goes on meanwhile. */
  private async differencesTo(found: ReadonlyMap<string, Version>): Promise<readonly Found[]> {
    const differences: Found[] = [];
    let handled = 0;
    const isTurnOver = () => {
      handled += 1;
      return handled % COMPARED_AT_A_TIME === 0;
    };
    for (const [name, version] of found) {
      if (this.known.get(name)?.revision !== version.revision) differences.push([name, version]);
      if (isTurnOver()) await new Promise(setImmediate);
    }
    for (const name of this.known.keys()) {
      if (!found.has(name)) differences.push([name, undefined]);
      if (isTurnOver()) await new Promise(setImmediate);
    }
    return differences;
  }

  private async readNamesAgain(): Promise<void> {
    const startedAt = performance.now();
    for (const name of this.readAgain) {
      const version = await this.reader.readOne(name);
      if (!this.changed.has(name)) this.apply([[name, version]]);
    }
    const rest = READ_AGAIN_REST * (performance.now() - startedAt);
    this.nextReading = performance.now() + Math.max(READ_AGAIN_MS, rest);
  }

  /** Takes in what stands under names now, and tells the listeners what is new. */
  private apply(found: Iterable<Found>): void {
    const came: Version[] = [];
    const gone: Version[] = [];
    for (const [name, version] of found) {
      const before = this.known.get(name);
      if (before?.revision === version?.revision) continue;
      if (before !== undefined) gone.push(before);
      if (version !== undefined) came.push(version);
      if (version === undefined) this.known.delete(name);
      else this.known.set(name, version);
    }
    if (came.length === 0 && gone.length === 0) return;
    this.current = this.current.changed({ come: came, gone });
    for (const listener of this.listeners) listener({ came, gone });
  }
}
