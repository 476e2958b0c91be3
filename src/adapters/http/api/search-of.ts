import type { Context } from 'koa';
import { MAX_FOLDED_TERM, MAX_TERM_CHARACTERS, SearchTerm } from '../../../domain/index.js';
import { HttpFault } from '../errors.js';

/**
 * Returns the search term of a query, decoded strictly; empty where there is none.
 * @throws HttpFault `invalid_request` for a `search` that is given twice, badly encoded or too long
 */
export function searchOf(ctx: Context): SearchTerm {
  const terms = ctx.querystring.split('&').filter((pair) => /^search(?:=|$)/.test(pair));
  if (terms.length > 1) throw new HttpFault('invalid_request', "Give 'search' once");
  const term = SearchTerm.of(decoded((terms[0] ?? '').replace(/^search=?/, '')));
  if (term !== undefined) return term;
  throw new HttpFault(
    'invalid_request',
    `The value of 'search' is longer than ${MAX_TERM_CHARACTERS} characters, or than ${MAX_FOLDED_TERM} once ligatures are spelled out; give a shorter part of the name`,
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    throw new HttpFault('invalid_request', "The value of 'search' is not percent-encoded UTF-8");
  }
}
