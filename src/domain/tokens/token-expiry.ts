import { DAY_MS } from '../usage/day.js';

/** Days before its end in which a token is said to expire soon. */
export const EXPIRY_WARNING_DAYS = 14;

/** `parseExpiry` in words. */
export const EXPIRY_RULE =
  "a date such as '2027-06-30', whose end in UTC counts, or a time such as '2027-06-30T12:00:00Z'";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;

/** Parses the end of a token: a date (its end, in UTC) or a time of RFC 3339. @returns undefined for any other text */
export function parseExpiry(text: string): Date | undefined {
  const isDate = DATE.test(text);
  if (!isDate && !TIME.test(text)) return undefined;
  const midnight = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  // JavaScript takes February 30 for March 2.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(text.slice(0, 10)))
    return undefined;
  const end = isDate ? new Date(midnight.getTime() + DAY_MS) : new Date(text);
  return Number.isNaN(end.getTime()) ? undefined : end;
}

/** Whether a token is in its last days, or has expired. */
export function expiresSoon(expiresAt: Date | undefined, now: Date): boolean {
  return expiresAt !== undefined && expiresAt.getTime() - now.getTime() <= EXPIRY_WARNING_DAYS * DAY_MS;
}
