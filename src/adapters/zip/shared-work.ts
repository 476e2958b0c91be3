/** Of an archive's entries: enough of them for one read, few enough to stop soon, and for both to end at one time. */
const MOST_AT_ONCE = 8;
const MOST_BYTES_AT_ONCE = 1024 * 1024;
/** Larger items are left to the front side, and all before them: the back side must be able to leave soon. */
const LARGEST_AT_THE_BACK = 16 * 1024 * 1024;

/** Where the numbers stand in the shared memory. */
const TAKEN = 0;
const DONE = 1;
const IS_LEFT = 2;
/** As if more had been taken than there ever is. */
const STOPPED = 2 ** 30;

/** From which end a thread takes its share. */
export type Side = 'front' | 'back';

/** One side was told to stop: the other one has the reason. */
export class Stopped extends Error {
  override readonly name = 'Stopped';

  constructor() {
    super('Another thread has failed at the same work');
  }
}

/**
 * Deals out one list to two threads: one takes from its front, the other from its back, until they meet. Neighbours
 * mostly belong to one directory, and two threads that make files in one directory wait for each other. Each thread
 * has the list for itself; what they share is how much of it has been taken, and how much is done.
 */
export class SharedWork {
  private readonly state: Int32Array;

  /** @param memory of the same work, as another thread has it */
  constructor(readonly memory = new SharedArrayBuffer(12)) {
    this.state = new Int32Array(memory);
  }

  /**
   * What one side has to do, in small batches. A batch is done once the next one is asked for.
   * @param items the whole list, or as much of its end as the back side is to know of
   * @param bytesOf how much work an item is
   * @param total items of the whole list
   */
  *batches<Item>(
    items: readonly Item[],
    side: Side,
    bytesOf: (item: Item) => number,
    total = items.length,
  ): Generator<Item[]> {
    const mine = side === 'front' ? items : items.toReversed();
    const largest = side === 'front' ? Number.POSITIVE_INFINITY : LARGEST_AT_THE_BACK;
    for (let start = 0; !(side === 'back' && this.isLeft); ) {
      const batch = mine.slice(start, start + this.take(wanted(mine, start, bytesOf, largest), total));
      if (batch.length === 0) return;
      yield side === 'front' ? batch : batch.reverse();
      Atomics.add(this.state, DONE, batch.length);
      start += batch.length;
    }
  }

  /** Whether all that was taken is done; not after `stop`. */
  get isDone(): boolean {
    return Atomics.load(this.state, TAKEN) === Atomics.load(this.state, DONE);
  }

  /** Both sides end after the batch that they are at, or in the midst of it where they ask `assertGoesOn`. */
  stop(): void {
    Atomics.store(this.state, TAKEN, STOPPED);
  }

  /** The back side ends after the batch that it is at; the front side does what is left. */
  leaveToFront(): void {
    Atomics.store(this.state, IS_LEFT, 1);
  }

  /** Whether the back side was asked to leave. */
  get isLeft(): boolean {
    return Atomics.load(this.state, IS_LEFT) === 1;
  }

  /** @throws Stopped after `stop` */
  assertGoesOn(): void {
    if (Atomics.load(this.state, TAKEN) === STOPPED) throw new Stopped();
  }

  /** @returns how many of the `wanted` items are this thread's now */
  private take(wanted: number, all: number): number {
    for (;;) {
      const taken = Atomics.load(this.state, TAKEN);
      const count = Math.min(wanted, all - taken);
      if (count <= 0) return 0;
      if (Atomics.compareExchange(this.state, TAKEN, taken, taken + count) === taken) return count;
    }
  }
}

/** How many items make a batch. */
function wanted<Item>(
  items: readonly Item[],
  start: number,
  bytesOf: (item: Item) => number,
  largest: number,
): number {
  let bytes = 0;
  let count = 0;
  for (; count < MOST_AT_ONCE && start + count < items.length && bytes < MOST_BYTES_AT_ONCE; count += 1) {
    const next = bytesOf(items[start + count] as Item);
    if (next > largest) break;
    bytes += next;
  }
  return count;
}
