/** A day, in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

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
