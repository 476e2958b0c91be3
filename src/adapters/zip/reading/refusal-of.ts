import { Refusal } from '../../../domain/refusal/refusal.js';
import { refuse } from '../../../domain/refusal/refuse.js';
import { type ArchiveReader, PastTheEnd } from './archive-reader.js';

export const WRONG_COUNT = 'its central directory has a different number of entries than its end record';

/** Messages of yauzl, and their meaning for the packer of the archive. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^invalid comment length/i, 'it has data after its end record, or an end record inside its comment'],
  [/^multi-disk/, 'it is one part of an archive split over several files'],
  [/^invalid zip64 end of central directory/, 'its zip64 end record is not where its locator says'],
  [/^invalid central directory file header/, WRONG_COUNT],
  [/^strong encryption/, 'is encrypted; create the archive without a password'],
  [/^extra field length/, 'has extra fields that do not add up'],
  [/^zip64 extended information/, 'has an incomplete zip64 field'],
];

/**
 * Maps an error of reading to a refusal. Refusals and errors of the disk are returned as they are; everything else is
 * the archive's fault: `otherwise`.
 */
export function asRefusal(error: unknown, otherwise: string, entry?: string): unknown {
  if (error instanceof Refusal || isSystemError(error)) return error;
  const message = error instanceof Error ? error.message : '';
  const why = MEANINGS.find(([pattern]) => pattern.test(message))?.[1] ?? otherwise;
  const aboutArchive = why.startsWith('it ') || why.startsWith('its ');
  return refuse.invalidArchive(why, aboutArchive ? undefined : entry, { cause: error });
}

/** The reason why a file cannot be opened as an archive: yauzl found no end record. */
export function whyNotOpened(error: unknown, archive: ArchiveReader): string {
  if (archive.size === 0) return 'it is empty';
  if (error instanceof PastTheEnd) return 'its zip64 end record is not where its locator says';
  const start = archive.slice(0, Math.min(4, archive.size)).toString('latin1');
  return start.startsWith('PK')
    ? 'its end record is missing; it is truncated, or followed by other data'
    : 'it is not a zip file';
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
