/** Formats a count with its noun: `1 file`, `1,234 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

const HOUR_MS = 60 * 60 * 1000;

/** Formats a time that was set in hours or days: `7 days`, `12 hours`. */
export function spanOf(ms: number): string {
  const hours = Math.round(ms / HOUR_MS);
  return hours % 24 === 0 ? counted(hours / 24, 'day') : counted(hours, 'hour');
}

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size with at most three digits: `512 bytes`, `1.4 MiB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  let value = bytes;
  let unit: string = '';
  for (const each of UNITS) {
    if (value < 1000 && unit !== '') break;
    value /= 1024;
    unit = each;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}
