import type { Context } from 'koa';
import { MAX_QUERY_CHARACTERS, MAX_RESULTS, type PageSearch } from '../../../application/index.js';
import { waiterOf } from '../client-of.js';
import { HttpFault } from '../errors.js';
import { namedLanguages } from '../response/negotiation.js';
import { filterOf, flagOf, numberOf, parameterOf } from './query.js';

/** Results of one response: as many as are asked for. */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 50;

/**
 * The search that a request asks for, by `q`, `project`, `version`, `group`, `tag`, `owner`, `facets`, `limit` and `offset`,
 * with the languages of the reader and the client that waits for it.
 * @throws HttpFault `invalid_request` for values that no search has
 */
export function pageSearchOf(ctx: Context): PageSearch {
  const query = parameterOf(ctx, 'q');
  if ([...query].length > MAX_QUERY_CHARACTERS) {
    throw new HttpFault(
      'invalid_request',
      `The value of 'q' is longer than ${MAX_QUERY_CHARACTERS} characters; give fewer words`,
    );
  }
  const project = parameterOf(ctx, 'project') || undefined;
  const version = parameterOf(ctx, 'version') || undefined;
  if (version !== undefined && project === undefined) {
    throw new HttpFault('invalid_request', "'version' needs a 'project'");
  }
  return {
    query,
    ...(project === undefined ? {} : { project }),
    ...(version === undefined ? {} : { version }),
    ...filterOf(ctx),
    facets: flagOf(ctx, 'facets'),
    limit: numberOf(ctx, 'limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
    offset: numberOf(ctx, 'offset', 0, 0, MAX_RESULTS - 1),
    languages: languagesOf(ctx),
    waiter: waiterOf(ctx),
  };
}

/** Whether there is anything to search for. */
export function isEmptySearch({ query }: PageSearch): boolean {
  return query.trim() === '';
}

/** The languages of `Accept-Language`, best first; English where the reader names none. */
function languagesOf(ctx: Context): readonly string[] {
  const named = namedLanguages(ctx);
  return named.length === 0 ? ['en'] : named;
}
