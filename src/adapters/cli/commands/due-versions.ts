import { counted, sizeOf, visible } from '../../../domain/index.js';

/** A version that a rule of retention removes, or has removed; or an expired preview. */
export interface DueRow {
  /** Its label, or its directory name. */
  readonly name: string;
  readonly rule: string;
  readonly isPreview?: boolean;
  /** What the rule says. */
  readonly reason: string;
  /** Size of the archive; undefined for a copied-in directory. */
  readonly archiveBytes: number | undefined;
}

/** Returns a line for one version: `1.0.1: 12 MiB, keep_per_minor: the newest 3 versions of each minor are kept`. */
export function dueLine({ name, archiveBytes, rule, reason }: DueRow): string {
  const size = archiveBytes === undefined ? 'a directory' : sizeOf(archiveBytes);
  return `${visible(`${name}: ${size}, ${rule}: ${reason}`)}\n`;
}

/** Returns the number of versions and previews and the size of their archives: `3 versions, 12 MiB`. */
export function sumOf(rows: readonly Pick<DueRow, 'archiveBytes' | 'isPreview'>[]): string {
  const sum = rows.reduce((total, { archiveBytes = 0 }) => total + archiveBytes, 0);
  const previews = rows.filter(({ isPreview }) => isPreview === true).length;
  const versions = rows.length - previews;
  const counts = [
    ...(versions > 0 || previews === 0 ? [counted(versions, 'version')] : []),
    ...(previews > 0 ? [counted(previews, 'preview')] : []),
  ];
  return `${counts.join(' and ')}, ${sizeOf(sum)}`;
}
