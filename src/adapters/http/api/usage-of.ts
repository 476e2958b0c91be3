import type { Context } from 'koa';
import { type Project, USAGE_KEPT_DAYS } from '../../../domain/index.js';
import type { Text } from '../response/send-text.js';
import type { MakeText, Texts } from '../response/text-cache.js';
import { numberOf } from './query.js';

/** Days that a report has unless the request says otherwise. */
export const DEFAULT_USAGE_DAYS = 30;
/** Max. age of a cached report, in milliseconds: counts are saved once a minute. */
const MAX_AGE_MS = 60_000;

/** @throws HttpFault `invalid_request` for anything but a number of days that are kept */
export function usageDaysOf(ctx: Context): number {
  return numberOf(ctx, 'days', DEFAULT_USAGE_DAYS, 1, USAGE_KEPT_DAYS);
}

/** Returns a report as a text, from the cache when it is recent: whoever asks again and again costs no more. */
export function recentUsage(
  texts: Texts,
  kind: 'page' | 'json',
  project: Project,
  days: number,
  make: MakeText,
): Promise<Text> {
  return texts.get(`usage ${kind}/${project.directoryName} ${project.revision} ${days}`, make, MAX_AGE_MS);
}
