import type { CatalogueChange } from '../../../application/index.js';
import { Catalogue, type ProjectSettings, refuse, type Version } from '../../../domain/index.js';
import { hasErrno } from '../../../node/system-errors.js';
import { RUN_SHORT } from '../disk.js';
import type { DirectoryReader, Found } from './directory-reader.js';
import { DirectoryStamp } from './directory-stamp.js';
import type { SettingsFiles } from './settings-files.js';

/** Interval between polls of the docs directory's time stamps, in milliseconds. */
const POLL_MS = 1_500;
/**
 * Pause after reading copied-in directories, as a multiple of the time it took: changes of their content alter no time
 * stamp that is polled, so each poll reads all of them again.
 */
const READ_AGAIN_REST = 6;
/** Pause after a scan, as a multiple of the time it took. */
const SCAN_REST = 4;

interface WatchOptions {
  /** Interval between two polls in milliseconds; 1.5 s. */
  readonly pollMs?: number | undefined;
  /** Awaited after each poll that could read the directory; must not throw. */
  readonly afterPoll: () => Promise<void>;
}

/**
 * In-memory catalogue of a docs directory, refreshed by polling. Each poll looks at the time stamps of the directory, and
 * scans it again when it may have changed. Changes by this process are applied at once.
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
  private readonly stamp: DirectoryStamp;
  private nextScan = 0;
  private nextReading = 0;
  /** Names that this process has changed since the current poll began, whose results for them may be outdated. */
  private changed = new Set<string>();
  private failure: unknown;
  private isTelling = false;
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(
    root: string,
    private readonly reader: DirectoryReader,
    private readonly settings: SettingsFiles,
    private readonly options: WatchOptions,
  ) {
    this.stamp = new DirectoryStamp(root);
  }

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

  /**
   * The catalogue with all changes that listeners have been told of. While they are told, they get it in any case.
   * @throws Refusal `unavailable` when the directory could not be read at the last poll
   */
  catalogue(): Catalogue {
    if (this.failure !== undefined && !this.isTelling)
      throw refuse.storageUnavailable({ cause: this.failure });
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

  /** Sets the settings of projects, as this process knows them. */
  setSettings(settings: readonly (readonly [string, ProjectSettings])[]): void {
    this.apply([], settings);
  }

  /** Makes the next poll scan, even if the time stamps are unchanged. */
  scanSoon(): void {
    this.stamp.forget();
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
      this.stamp.forget();
      this.nextScan = 0;
      return;
    }
    await this.options.afterPoll();
  }

  private async refresh(): Promise<void> {
    this.changed = new Set();
    const mayHaveChanged = this.stamp.look();
    await this.settings.refresh((settings) => this.setSettings(settings));
    if (mayHaveChanged && performance.now() >= this.nextScan) await this.scan();
    if (this.readAgain.size > 0 && performance.now() >= this.nextReading) await this.rereadNames();
  }

  private async scan(): Promise<void> {
    const startedAt = performance.now();
    const isScanned = this.stamp.reading();
    const { differences, readAgain } = await this.reader.read(this.known);
    this.apply(differences.filter(([name]) => !this.changed.has(name)));
    this.readAgain = readAgain;
    isScanned();
    this.nextScan = performance.now() + SCAN_REST * (performance.now() - startedAt);
  }

  private async rereadNames(): Promise<void> {
    const startedAt = performance.now();
    for (const name of this.readAgain) {
      // A name that cannot be read for now stays as it was, and is read again at the next poll.
      const read = await this.reader.readOne(name).then((version) => ({ version }), unreadable);
      if (read !== undefined && !this.changed.has(name)) this.apply([[name, read.version]]);
    }
    const now = performance.now();
    this.nextReading = now + READ_AGAIN_REST * (now - startedAt);
  }

  /** Updates the known versions and the settings, and notifies listeners of the differences. */
  private apply(
    found: Iterable<Found>,
    settings: readonly (readonly [string, ProjectSettings])[] = [],
  ): void {
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
    const before = this.current;
    this.current = before.changed({ come: came, gone, settings });
    if (this.current === before) return;
    const changes = settings.map(([project]) => ({
      project,
      before: before.settingsOf(project),
      after: this.current.settingsOf(project),
    }));
    const change = { came, gone, settings: changes.filter((each) => each.before !== each.after) };
    this.isTelling = true;
    try {
      for (const listener of this.listeners) listener(change);
    } finally {
      this.isTelling = false;
    }
  }
}

/** Passes on errors that say nothing about the name that was read. */
function unreadable(error: unknown): undefined {
  if (hasErrno(error, RUN_SHORT)) throw error;
  return undefined;
}
