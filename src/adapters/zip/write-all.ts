import { writeSync } from 'node:fs';

/** Writes all of `bytes`: one call may write less, on a disk that is about to be full say. */
export function writeAll(fd: number, bytes: Uint8Array, position: number | null = null): void {
  for (let written = 0; written < bytes.length; ) {
    const at = position === null ? null : position + written;
    written += writeSync(fd, bytes, written, bytes.length - written, at);
  }
}
