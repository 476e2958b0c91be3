import type { Context } from 'koa';
import {
  MAX_FOLDED_TERM,
  MAX_TERM_CHARACTERS,
  type ProjectFilter,
  SearchTerm,
} from '../../../domain/index.js';
import { HttpFault } from '../errors.js';

/**
 * Returns the search term of a query, decoded strictly; empty where there is none.
 * @throws HttpFault `invalid_request` for a `search` that is given twice, badly encoded or too long
 */
export function searchOf(ctx: Context): SearchTerm {
  const term = SearchTerm.of(parameterOf(ctx, 'search'));
  if (term !== undefined) return term;
  throw new HttpFault(
    'invalid_request',
    `The value of 'search' is longer than ${MAX_TERM_CHARACTERS} characters, or than ${MAX_FOLDED_TERM} once ligatures are spelled out; give a shorter part of the name`,
  );
}

/**
 * Returns group, tag and owner of a query, decoded strictly; an empty value filters nothing.
 * @throws HttpFault `invalid_request` for one that is given twice or badly encoded
 */
export function filterOf(ctx: Context): ProjectFilter {
  return {
    group: parameterOf(ctx, 'group') || undefined,
    tag: parameterOf(ctx, 'tag') || undefined,
    owner: parameterOf(ctx, 'owner') || undefined,
  };
}

/**
 * Returns the value of a query parameter, decoded strictly; the empty text where there is none.
 * @throws HttpFault `invalid_request` for one that is given twice or badly encoded
 */
export function parameterOf(ctx: Context, name: string): string {
  if (ctx.querystring === '') return '';
  const values = ctx.querystring
    .split('&')
    .map((pair) => pair.split(/=(.*)/s, 2))
    .filter(([key]) => key === name);
  if (values.length > 1) throw new HttpFault('invalid_request', `Give '${name}' once`);
  try {
    return decodeURIComponent((values[0]?.[1] ?? '').replaceAll('+', ' '));
  } catch {
    throw new HttpFault('invalid_request', `The value of '${name}' is not percent-encoded UTF-8`);
  }
}

/**
 * Returns the number of a query parameter.
 * @throws HttpFault `invalid_request` for anything but one whole number of the range
 */
export function numberOf(ctx: Context, name: string, byDefault: number, min: number, max: number): number {
  const text = parameterOf(ctx, name) || String(byDefault);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= min && value <= max) return value;
  throw new HttpFault('invalid_request', `'${name}' is a whole number from ${min} to ${max}`);
}

/**
 * Returns the value of a yes-or-no parameter of the query; false where there is none.
 * @throws HttpFault `invalid_request` for anything but one `true` or `false`
 */
export function flagOf(ctx: Context, name: string): boolean {
  const value = ctx.query[name] ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new HttpFault('invalid_request', `Give '${name}' once, as 'true' or 'false'`);
}
