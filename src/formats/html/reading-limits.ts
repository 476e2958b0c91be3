import type { Cut } from './text/page-text.js';

/** Limits on one page. Real pages stay far below; they bound what a hostile page can cost. */
export interface ReadingLimits {
  /** Bytes of HTML that are looked at. */
  readonly bytes: number;
  /** Open elements. A tag may be compared with all of them. */
  readonly depth: number;
  /** Characters of text, headings and anchors included. The last anchor may exceed it. */
  readonly characters: number;
  /** Sections. Further headings are text of the last section. */
  readonly sections: number;
  /** Time for parsing, in milliseconds. */
  readonly milliseconds: number;
}

export const READING_LIMITS: ReadingLimits = {
  bytes: 10_000_000,
  depth: 512,
  characters: 400_000,
  sections: 5_000,
  milliseconds: 2_000,
};

/** Callbacks of the parser between two looks at the clock. */
const CALLBACKS_PER_LOOK = 256;

/** What is left of the limits while a page is parsed. */
export class Budget {
  readonly cut = new Set<Cut>();
  /** Parsing has to end: a limit is exceeded. */
  stopped = false;
  private callbacks = 0;

  constructor(
    readonly limits: ReadingLimits,
    private readonly deadline: number,
  ) {}

  stop(reason: Cut): void {
    this.cut.add(reason);
    this.stopped = true;
  }

  /** Called in each callback of the parser. */
  checkTime(): void {
    this.callbacks += 1;
    if (this.callbacks % CALLBACKS_PER_LOOK === 0 && performance.now() > this.deadline) this.stop('time');
  }
}
