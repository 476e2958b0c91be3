import type { Loaded } from './load-engine.js';
import { isNoMoreFiles } from './no-more-files.js';
import { keptBlocks, RevisionDatabase } from './revision-database.js';

/**
 * Max. bytes of blocks of pages that are kept. Most searches of somebody who types read a third as many. Bytes are outside of
 * the heap: garbage collection would copy and mark strings of them, and let the heap grow to twice their size.
 */
const MAX_KEPT = 12_000_000;

/** The databases that were used last, by their files. Each is one open file. */
export class OpenDatabases {
  private readonly open = new Map<string, RevisionDatabase>();
  private readonly kept = keptBlocks(MAX_KEPT);

  constructor(private max: number) {}

  /**
   * The database in a file, open until `max` others have been used.
   * @throws UnusableIndex when it is missing or damaged; Error with the code EMFILE when not even one file can be opened
   */
  use(engine: Loaded, file: string): RevisionDatabase {
    const database = this.open.get(file) ?? this.openFile(engine, file);
    this.open.delete(file);
    this.open.set(file, database);
    if (this.open.size > this.max) this.closeOldest(this.open.size - this.max);
    return database;
  }

  /** Max. number of databases that are open at a time. */
  get most(): number {
    return this.max;
  }

  close(file: string): void {
    const database = this.open.get(file);
    this.open.delete(file);
    database?.close();
  }

  closeAll(): void {
    this.closeOldest(this.open.size);
  }

  /** Opens a database. If the process may open no more files, half of the databases stay open from then on. */
  private openFile(engine: Loaded, file: string): RevisionDatabase {
    for (;;) {
      try {
        return RevisionDatabase.open(engine, file, this.kept);
      } catch (error) {
        const { size } = this.open;
        if (!isNoMoreFiles(error) || size === 0) throw error;
        this.max = Math.max(1, Math.floor(size / 2));
        this.closeOldest(Math.max(1, size - this.max));
      }
    }
  }

  private closeOldest(count: number): void {
    for (const file of [...this.open.keys()].slice(0, count)) this.close(file);
  }
}
