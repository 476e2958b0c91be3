import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MOST_BYTES = 4 * 1024 * 1024;

let collect: (() => void) | undefined;

/**
 * Buffers that live for a moment only: chunks from a socket, inflated files. Their memory lies outside of V8's heap
 * and hardly counts there, so V8 lets 64 MB of them pile up before it looks, and then marks all of the heap. Its young
 * part alone takes less than a millisecond.
 */
export class YoungGarbage {
  private bytes = 0;

  /** Tells of new memory; now and then what nobody refers to any more is given back. */
  made(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes < MOST_BYTES) return;
    this.bytes = 0;
    collect ??= collector();
    collect();
  }
}

/** Node shows V8's own function only to those who ask for it at the start, or in a context that is made afterwards. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: NodeJS.GCFunction = globalThis.gc ?? runInNewContext('gc');
  return () => gc({ type: 'minor' });
}
