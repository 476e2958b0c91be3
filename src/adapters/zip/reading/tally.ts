import { type ArchiveLimits, RATIO_FREE_BYTES } from '../../../application/ports/archives.js';
import { refuse } from '../../../domain/refusal/refuse.js';
import type { EntryKind } from './archive-entry.js';

/**
 * Counts declared sizes against the limits, entry by entry, so that a bomb is refused before it is read. Inflating
 * checks content against its declared size, so these bound the actual ones.
 */
export class Tally {
  private bytes = 0;
  private readonly entries = { file: 0, directory: 0, ignored: 0 };

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly archiveSize: number,
  ) {}

  /** @throws Refusal `archive_too_large`, or `insufficient_storage` */
  add(kind: EntryKind, size: number): void {
    this.entries[kind] += 1;
    this.checkCount(this.entries[kind]);
    this.bytes += size;
    const { maxExtractedBytes, maxRatio, roomBytes = Number.POSITIVE_INFINITY } = this.limits;
    const met = this.bytes;
    if (met > maxExtractedBytes) {
      throw refuse.archiveTooLarge({
        setting: 'extracted_size',
        limit: maxExtractedBytes,
        met,
        unit: 'bytes',
      });
    }
    if (met > RATIO_FREE_BYTES && met > maxRatio * this.archiveSize) {
      throw refuse.archiveTooLarge({
        setting: 'ratio',
        limit: maxRatio,
        met: Math.ceil(met / this.archiveSize),
        unit: 'times its size',
      });
    }
    if (met > roomBytes) throw refuse.insufficientStorage();
  }

  /** Directories and ignored entries cost memory and inodes too, so each kind has the same limit. */
  checkCount(met: number): void {
    const limit = this.limits.maxFiles;
    if (met > limit) throw refuse.archiveTooLarge({ setting: 'files', limit, met, unit: 'files' });
  }
}
