import { writeSync } from 'node:fs';

/**
 * Max. bytes per write. Linux allocates page cache in units as large as a write; virtual machines that return free memory
 * to their host do so in units of 128 KB (`page_reporting_order`), and reuse costs ten times as much.
 */
const MAX_AT_ONCE = 64 * 1024;

/** Writes all bytes: one call may write fewer, on a nearly full disk say. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, Math.min(MAX_AT_ONCE, bytes.length - written));
  }
}
