import { writeSync } from 'node:fs';

/**
 * Linux takes memory for a file in pieces as large as what is written at once. Virtual machines that give free memory
 * back to their host do so in pieces of 128 KB (`page_reporting_order`), and have to ask for each page of one again:
 * ten times the price of a smaller write.
 */
const MAX_AT_ONCE = 64 * 1024;

/** Writes all of `bytes`: one call may write less, on a disk that is about to be full say. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, Math.min(MAX_AT_ONCE, bytes.length - written));
  }
}
