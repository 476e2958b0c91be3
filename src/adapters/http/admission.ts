import { LRUCache } from 'lru-cache';

/** Addresses whose last reading is remembered: those read last, which bounds what others may make this process keep. */
const MOST_REMEMBERED = 10_000;

/** The last reading of a page. */
interface Reading {
  /** How much had been read by then, in bytes. */
  readonly at: number;
  /** What the page took. */
  readonly bytes: number;
}

/**
 * Which pages are worth their memory: those that are read a second time before as much else has been read as is kept at
 * most. A page that is read more seldom would be gone again before its next reader, and would drive out what others
 * read, as whoever walks through a large site does, however often. While there is room, any second time will do,
 * as long as the first one is remembered.
 */
export class Admission {
  private readonly readings = new LRUCache<string, Reading>({ max: MOST_REMEMBERED });
  private bytesRead = 0;

  /** @param mostBytes that are kept */
  constructor(private readonly mostBytes: number) {}

  /** @param freeBytes what may be kept besides what is kept already */
  isWorthKeeping(address: string, freeBytes: number): boolean {
    const last = this.readings.get(address);
    if (last === undefined || last.bytes > this.mostBytes) return false;
    return last.bytes <= freeBytes || this.bytesRead - last.at < this.mostBytes;
  }

  /** Its page has been read from the disk. */
  note(address: string, bytes: number): void {
    this.bytesRead += bytes;
    this.readings.set(address, { at: this.bytesRead, bytes });
  }
}
