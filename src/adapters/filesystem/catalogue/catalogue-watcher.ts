import { type BigIntStats, statSync } from 'node:fs';
import type { CatalogueChange } from '../../../application/index.js';
import { Catalogue, refuse, type Version } from '../../../domain/index.js';
import type { DirectoryReader, Found } from './directory-reader.js';

/** Interval between polls of the docs directory's time stamps, in milliseconds. */
const POLL_MS = 1_500;
/**
 * Pause after reading copied-in directories, as a multiple of the time it took: changes of their content alter no time
 * stamp that is polled, so each poll reads all of them again.
 */
const READ_AGAIN_REST = 6;
/** Pause after a scan, as a multiple of the time it took. */
const SCAN_REST = 4;
/** Resolution of time stamps: a timer tick if they have fractions of a second, else up to two seconds. */
const FINE_MS = 100;
const COARSE_MS = 2_100;

interface WatchOptions {
  /** Interval between two polls in milliseconds; 1.5 s. */
  readonly pollMs?: number | undefined;
  /** Awaited after each poll that could read the directory; must not throw. */
  readonly afterPoll: () => Promise<void>;
}

/**
 * In-memory catalogue of a docs directory, refreshed by polling. Each poll compares the directory's time stamps with
 * those of the last scan. It scans again when they differ, and when they were so recent at the last scan that a later
 * change could have the same ones (as git does with its index). Changes by this process are applied at once.
 *
 * Changes by other processes are seen after one poll and one scan. Scans take at most a fifth of the time: if one takes
 * longer than 250 ms (tens of thousands of versions), the delay is more than two seconds.
 */
export class CatalogueWatcher {
  private current = Catalogue.empty;
  /** All known versions, by directory name. */
  private readonly known = new Map<string, Version>();
  /** Names whose content may change without a change to the docs directory itself. */
  private readAgain: ReadonlySet<string> = new Set();
  /** The latest time stamps, and when they were first seen, by `performance.now()`. */
  private seen = { stamp: '', isCoarse: false, since: 0 };
  /** Time stamps that `known` is up to date with. */
  private scanned = '';
  private nextScan = 0;
  private nextReading = 0;
  /** Names that this process has changed since the current poll began, whose results for them may be outdated. */
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
   * Reads the directory and starts polling.
   * @throws an error with an errno code when it cannot be read
   */
  async start(): Promise<void> {
    await this.refresh();
    // No pause: later scans take a fraction of the first, which has read every record.
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
   * Sets the version of a directory name, as this process knows it.
   * @param version undefined when there is none
   */
  set(directoryName: string, version: Version | undefined): void {
    this.changed.add(directoryName);
    this.apply([[directoryName, version]]);
  }

  /** Makes the next poll scan, even if the time stamps are unchanged. */
  scanSoon(): void {
    this.scanned = '';
  }

  /** Stops polling, and waits for a running poll. */
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
      await this.refresh();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      // Whatever is there next time may be another directory: it is scanned before anything of it is shown.
      this.scanned = '';
      this.nextScan = 0;
      return;
    }
    await this.options.afterPoll();
  }

  private async refresh(): Promise<void> {
    this.changed = new Set();
    // Sync: a promise would wake a thread and the event loop as well, at each poll of an idle server. A disk that does
    // not answer holds the process up, as it does for the pages on it, which are also opened in sync calls.
    this.noteStamp(statSync(this.root, { bigint: true }));
    if (this.scanned !== this.seen.stamp && performance.now() >= this.nextScan) await this.scan();
    if (this.readAgain.size > 0 && performance.now() >= this.nextReading) await this.rereadNames();
  }

  private noteStamp({ dev, ino, mtimeNs, ctimeNs }: BigIntStats): void {
    const stamp = `${dev} ${ino} ${mtimeNs} ${ctimeNs}`;
    if (stamp === this.seen.stamp) return;
    this.seen = { stamp, isCoarse: ctimeNs % 1_000_000_000n === 0n, since: performance.now() };
  }

  private async scan(): Promise<void> {
    const startedAt = performance.now();
    const { stamp, isCoarse, since } = this.seen;
    const { differences, readAgain } = await this.reader.read(this.known);
    this.apply(differences.filter(([name]) => !this.changed.has(name)));
    this.readAgain = readAgain;
    if (startedAt - since > (isCoarse ? COARSE_MS : FINE_MS)) this.scanned = stamp;
    this.nextScan = performance.now() + SCAN_REST * (performance.now() - startedAt);
  }

  private async rereadNames(): Promise<void> {
    const startedAt = performance.now();
    for (const name of this.readAgain) {
      const version = await this.reader.readOne(name);
      if (!this.changed.has(name)) this.apply([[name, version]]);
    }
    const now = performance.now();
    this.nextReading = now + READ_AGAIN_REST * (now - startedAt);
  }

  /** Updates the known versions, and notifies listeners of the differences. */
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
