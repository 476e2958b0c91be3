import { visible } from '../../../domain/index.js';
import { bytes } from '../terminal.js';

/** A version that a rule of retention removes, or has removed. */
export interface DueRow {
  /** Its label, or its directory name. */
  readonly name: string;
  readonly rule: string;
  /** What the rule says. */
  readonly reason: string;
  /** Size of the archive; undefined for a copied-in directory. */
  readonly archiveBytes: number | undefined;
}

/** Returns a line for one version: `1.0.1: 12.0 MiB, keep_per_minor: the newest 3 versions of each minor are kept`. */
export function dueLine({ name, archiveBytes, rule, reason }: DueRow): string {
  const size = archiveBytes === undefined ? 'a directory' : bytes(archiveBytes);
  return `${visible(`${name}: ${size}, ${rule}: ${reason}`)}\n`;
}

/** Returns the number of versions and the size of their archives: `3 versions, 12.0 MiB`. */
export function sumOf(rows: readonly Pick<DueRow, 'archiveBytes'>[]): string {
  const sum = rows.reduce((total, { archiveBytes = 0 }) => total + archiveBytes, 0);
  return `${rows.length === 1 ? '1 version' : `${rows.length} versions`}, ${bytes(sum)}`;
}
