/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Max. difference between this machine's clock and that of an object store, in milliseconds. */
const MAX_SKEW_MS = 15 * MINUTE_MS;
/** Time by which a clock may have been set back since the last round of housekeeping, in milliseconds. */
const TOLERANCE_MS = MINUTE_MS;
/** Max. time since the last round after which a clock is believed at once, in milliseconds. */
const MAX_GAP_MS = 3 * DAY_MS;
/** Uptime after which a clock is believed although there was no round shortly before, in milliseconds. */
const PROVEN_AFTER_MS = HOUR_MS;
const BELIEVED: ClockVerdict = { kind: 'believed' };
/** Number that one round may remove in any case. */
const MIN_ROUND = 10;

/**
 * Whether the clock of this machine is believed: nothing is deleted because of another one. `unproven`: nothing speaks
 * for or against it yet. `doubtful`: something speaks against it, which `why` says in a sentence about the clock.
 */
export type ClockVerdict =
  | { readonly kind: 'believed' }
  | { readonly kind: 'unproven' }
  | { readonly kind: 'doubtful'; readonly why: string };

/** Judges a clock by that of an object store, in milliseconds since 1970. */
export function judgeByStore(now: Date, storeMs: number): ClockVerdict {
  if (Math.abs(now.getTime() - storeMs) <= MAX_SKEW_MS) return BELIEVED;
  const store = new Date(storeMs).toISOString();
  return { kind: 'doubtful', why: `it shows ${now.toISOString()}, but the object store ${store}` };
}

/**
 * Judges a clock by the last round of housekeeping.
 * @param last time of that round, which believed its clock; undefined when there was none
 * @param uptimeMs time since the start of the server, by a monotonic clock; undefined for a command that ends by itself,
 *   whose clock is believed where there was no round
 */
export function judgeByLastRound(
  last: Date | undefined,
  now: Date,
  uptimeMs: number | undefined,
): ClockVerdict {
  const isProven = uptimeMs !== undefined && uptimeMs >= PROVEN_AFTER_MS;
  if (last === undefined) return isProven || uptimeMs === undefined ? BELIEVED : { kind: 'unproven' };
  const gapMs = now.getTime() - last.getTime();
  const why = `it shows ${now.toISOString()}, but the last housekeeping was at ${last.toISOString()}`;
  if (gapMs < -TOLERANCE_MS) return { kind: 'doubtful', why };
  if (gapMs <= MAX_GAP_MS || isProven) return BELIEVED;
  const until = uptimeMs === undefined ? '' : '; it is trusted an hour after the start';
  return { kind: 'doubtful', why: why + until };
}

/**
 * Returns how many things of a kind one round of housekeeping may remove because the clock says so: a quarter of all,
 * and at least ten. With the default of 7 days, a seventh of all expires each day.
 */
export function maxInRound(all: number): number {
  return Math.max(MIN_ROUND, Math.ceil(all / 4));
}

/** A day in UTC, as `2026-11-23`. Days sort as texts. */
export type Day = string;

/** Returns the day of a time. */
export function dayOf(time: Date): Day {
  return time.toISOString().slice(0, 10);
}

/** Returns the day a number of days after another one, or before it when the number is negative. */
export function dayAfter(day: Day, days: number): Day {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS));
}

/** Returns whether a text is a day of the calendar. */
export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && dayOf(time) === text;
}

/** A range of days, both included. */
export interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** Returns the last days up to `now`, which is in the last one. */
export function lastDays(count: number, now: Date): Days {
  const to = dayOf(now);
  return { from: dayAfter(to, 1 - count), to };
}

/** Returns all days of a range, in order. */
export function daysIn({ from, to }: Days): readonly Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return days;
}
