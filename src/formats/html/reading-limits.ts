import type { WorkTime } from '../work-time.js';
import type { Cut } from './text/page-text.js';

/** Limits on one page. Real pages stay below; they bound what a hostile page can cost. */
export interface ReadingLimits {
  /** Bytes of HTML that are looked at. All text, headings and anchors come from them, so they are bounded, too. */
  readonly bytes: number;
  /** Open elements. A tag may be compared with all of them. */
  readonly depth: number;
  /** Sections. Further headings are text of the last section. The largest page of 80 sites has 3,200. */
  readonly sections: number;
  /** Elements that are in memory at once for Markdown, such as those of a table: some 300 bytes each. */
  readonly elements: number;
  /** Blocks of Markdown. A page of 5 MB has 19,000. */
  readonly blocks: number;
  /** Characters of Markdown: tables may have more cells, and lists more spaces, than there are characters of HTML. */
  readonly characters: number;
  /** Anchors that are kept. */
  readonly anchors: number;
  /** Time for parsing, in milliseconds: for each page, and for each megabyte of HTML. */
  readonly milliseconds: number;
  readonly millisecondsPerMegabyte: number;
}

export const READING_LIMITS: ReadingLimits = {
  bytes: 10_000_000,
  depth: 512,
  sections: 50_000,
  elements: 200_000,
  blocks: 300_000,
  characters: 20_000_000,
  anchors: 250_000,
  milliseconds: 2_000,
  millisecondsPerMegabyte: 1_000,
};

/** Bytes to read of a page: one more than count shows that it is longer. */
export const BYTES_TO_READ = READING_LIMITS.bytes + 1;

/** Callbacks of the parser between two looks at the clock. */
const CALLBACKS_PER_LOOK = 256;
const MEGABYTE = 1_000_000;

/** Keeps the limits while a page is parsed. */
export class Budget {
  readonly cut = new Set<Cut>();
  /** Parsing has to end: a limit is exceeded. */
  stopped = false;
  private callbacks = 0;

  constructor(
    readonly limits: ReadingLimits,
    private readonly time: WorkTime,
  ) {}

  stop(reason: Cut): void {
    this.cut.add(reason);
    this.stopped = true;
  }

  /** Called in each callback of the parser. */
  checkTime(): void {
    this.callbacks += 1;
    if (this.callbacks % CALLBACKS_PER_LOOK === 0 && this.time.isOver) this.stop('time');
  }
}

/** Max. time for parsing a page, in milliseconds. */
export function parsingMsFor(
  { milliseconds, millisecondsPerMegabyte }: ReadingLimits,
  length: number,
): number {
  return milliseconds + (millisecondsPerMegabyte * length) / MEGABYTE;
}
