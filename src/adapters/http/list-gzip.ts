import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { Project } from '../../domain/index.js';
import { GZIP_HEADER, gzipTrailerOf } from '../../formats/index.js';
import { BEGIN, COMMA, endOf, type ListText, separated } from './list-text.js';

/** Bytes of text that make a run: twice as many take 4 ms. Runs of half of that would make the list 3 % larger. */
const LEAST_IN_A_RUN = 128 * 1024;

/** Up to a whole byte, with more to follow (RFC 1951 section 3.2.4: an empty stored block). */
const OPEN = { finishFlush: constants.Z_SYNC_FLUSH };
const deflate: (bytes: Buffer, options: typeof OPEN) => Promise<Buffer> = promisify(deflateRaw);
const DEFLATED_BEGIN = deflateRawSync(BEGIN, OPEN);
const DEFLATED_COMMA = deflateRawSync(COMMA, OPEN);

/**
 * The list of all projects as gzip. Runs of neighbours are compressed each by itself, and kept: after a change only
 * the run that it is in, or some next to it, is compressed again, however long the list is.
 */
export class ListGzip {
  /** Those of the list that was compressed last, by the numbers of their projects. */
  private runs: ReadonlyMap<string, Buffer> = new Map();
  /** So that what is kept here keeps no project. */
  private readonly numbers = new WeakMap<Project, number>();
  private lastNumber = 0;

  /** @param least bytes of text that make a run */
  constructor(
    private readonly text: ListText,
    private readonly least = LEAST_IN_A_RUN,
  ) {}

  /** @param whole the same list, as the text has it */
  async of(projects: readonly Project[], whole: Buffer): Promise<Buffer> {
    const runs = new Map<string, Buffer>();
    // One after the other: readers need the processors as well.
    for (const run of this.runsOf(projects)) {
      const key = run.map((project) => this.numberOf(project)).join();
      runs.set(key, this.runs.get(key) ?? (await this.deflated(run)));
    }
    this.runs = runs;
    return Buffer.concat([
      GZIP_HEADER,
      DEFLATED_BEGIN,
      ...separated([...runs.values()], DEFLATED_COMMA),
      deflateRawSync(endOf(projects.length)),
      gzipTrailerOf({ size: whole.length, crc32: crc32(whole) }),
    ]);
  }

  private deflated(projects: readonly Project[]): Promise<Buffer> {
    const parts = projects.map((project) => this.text.partOf(project));
    return deflate(Buffer.concat(separated(parts, COMMA)), OPEN);
  }

  /** Where a run ends is decided by the project that ends it, so a change hardly ever moves the runs behind it. */
  private runsOf(projects: readonly Project[]): readonly (readonly Project[])[] {
    const runs: Project[][] = [];
    let run: Project[] = [];
    let bytes = 0;
    for (const project of projects) {
      if (run.length === 0) runs.push(run);
      run.push(project);
      const { length } = this.text.partOf(project);
      bytes += length;
      const isChosen = bytes >= this.least && crc32(project.directoryName) % this.least < length;
      if (isChosen || bytes >= 4 * this.least) {
        run = [];
        bytes = 0;
      }
    }
    return runs;
  }

  private numberOf(project: Project): number {
    const number = this.numbers.get(project) ?? ++this.lastNumber;
    this.numbers.set(project, number);
    return number;
  }
}
