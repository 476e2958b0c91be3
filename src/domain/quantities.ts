/** Formats a count with its noun: `1 file`, `1,234 files`. */
export function counted(count: number, one: string): string {
  // Small ones without the tables of languages, whose loading takes 10 ms of a start.
  const number = count < 1000 ? String(count) : count.toLocaleString('en');
  return `${number} ${count === 1 ? one : `${one}s`}`;
}

const HOUR_MS = 60 * 60 * 1000;

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
    // What would be rounded up to four digits takes the next unit.
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
