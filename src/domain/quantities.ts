const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS };

/** Formats a count with its noun: `1 file`, `1,234 files`. */
export function counted(count: number, one: string): string {
  // Small ones without the tables of languages, whose loading takes 10 ms of a start.
  const number = count < 1000 ? String(count) : count.toLocaleString('en');
  return `${number} ${count === 1 ? one : `${one}s`}`;
}

/** Formats a time that was set in hours or days: `7 days`, `12 hours`. */
export function spanOf(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  return hours % 24 === 0 ? counted(hours / 24, 'day') : counted(hours, 'hour');
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size below 1,000 TiB with at most three digits: `512 bytes`, `1.4 MiB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return counted(bytes, 'byte');
  let value = bytes;
  let unit: string = '';
  for (const each of UNITS) {
    // A value that would be rounded up to four digits takes the next unit.
    if (value < 999.5 && unit !== '') break;
    value /= 1024;
    unit = each;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** Formats the first names of a list: `a.js, b.js and 3 more`. @param count of all */
export function firstNames(names: readonly string[], count: number): string {
  const more = count - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Longest lifetime of a preview, in days. */
export const MAX_LIFETIME_DAYS = 3_650;

/** `parseLifetime` in words. */
export const LIFETIME_RULE = `a number of hours or days, such as 12h or 14d, at most ${MAX_LIFETIME_DAYS}d`;

/** Parses the lifetime of a preview: `12h`, `14d`. @returns milliseconds; undefined for any other text */
export function parseLifetime(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([hd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  return ms > 0 && ms <= lifetimeOfDays(MAX_LIFETIME_DAYS) ? ms : undefined;
}

/** Returns days in milliseconds. */
export function lifetimeOfDays(days: number): number {
  return days * 24 * HOUR_MS;
}
