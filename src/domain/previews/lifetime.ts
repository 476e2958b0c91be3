const HOUR_MS = 3_600_000;
const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS };
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
