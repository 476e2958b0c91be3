import { MAX_QUERY_CHARACTERS, MAX_RESULTS, type PageSearch } from '../../../application/index.js';
import {
  MAX_FOLDED_TERM,
  MAX_TERM_CHARACTERS,
  type ProjectFilter,
  quote,
  SearchTerm,
} from '../../../domain/index.js';
import { type Body, type SchemaName, schemas } from '../../../formats/api/bodies.js';
import { jsonIn } from '../../../formats/json.js';
import { HttpFault } from '../errors.js';
import type { Asked } from '../response/answer.js';
import { namedLanguages } from '../response/negotiation.js';

/** Max. bytes of a JSON body. */
const MAX_BODY_BYTES = 16 * 1024;

/** Results of one response: as many as are asked for. */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 50;
/** Days that a report on reading has unless the request says otherwise. */
export const DEFAULT_USAGE_DAYS = 30;

/**
 * Returns the search term of a query, decoded strictly; empty where there is none.
 * @throws HttpFault `invalid_request` for a `search` that is given twice, badly encoded or too long
 */
export function searchOf(asked: Asked): SearchTerm {
  const term = SearchTerm.of(parameterOf(asked, 'search'));
  if (term !== undefined) return term;
  throw new HttpFault(
    'invalid_request',
    `The value of 'search' is longer than ${MAX_TERM_CHARACTERS} characters, or ${MAX_FOLDED_TERM} once ligatures are spelled out; give a shorter part of the name`,
  );
}

/**
 * Returns group, tag and owner of a query, decoded strictly; an empty value filters nothing.
 * @throws HttpFault `invalid_request` for one that is given twice or badly encoded, and for another `ungrouped` than `true` or `false`
 */
export function filterOf(asked: Asked): ProjectFilter {
  return {
    ...(flagOf(asked, 'ungrouped') ? { ungrouped: true } : {}),
    group: parameterOf(asked, 'group') || undefined,
    tag: parameterOf(asked, 'tag') || undefined,
    owner: parameterOf(asked, 'owner') || undefined,
  };
}

/**
 * Returns the value of a query parameter, decoded strictly; the empty text where there is none.
 * @throws HttpFault `invalid_request` for one that is given twice or badly encoded
 */
export function parameterOf(asked: Asked, name: string): string {
  if (asked.search === '') return '';
  const values = asked.search
    .slice(1)
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
export function numberOf(asked: Asked, name: string, byDefault: number, min: number, max: number): number {
  const text = parameterOf(asked, name) || String(byDefault);
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  if (value >= min && value <= max) return value;
  throw new HttpFault('invalid_request', `'${name}' must be a whole number from ${min} to ${max}`);
}

/**
 * Returns the value of a yes-or-no parameter of the query; false where there is none.
 * @throws HttpFault `invalid_request` for anything but one `true` or `false`
 */
export function flagOf(asked: Asked, name: string): boolean {
  const value = asked.query[name] ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw new HttpFault('invalid_request', `Give '${name}' once, as 'true' or 'false'`);
}

/**
 * The search that a request asks for, by `q`, `project`, `version`, `group`, `ungrouped`, `tag`, `owner`, `all_projects`, `facets`, `limit` and `offset`,
 * with the languages of the reader and the client that waits for it.
 * @throws HttpFault `invalid_request` for values that no search has
 */
export function pageSearchOf(asked: Asked): PageSearch {
  const query = parameterOf(asked, 'q');
  if ([...query].length > MAX_QUERY_CHARACTERS) {
    throw new HttpFault(
      'invalid_request',
      `The value of 'q' is longer than ${MAX_QUERY_CHARACTERS} characters; give fewer words`,
    );
  }
  const project = parameterOf(asked, 'project') || undefined;
  const version = parameterOf(asked, 'version') || undefined;
  if (version !== undefined && project === undefined) {
    throw new HttpFault('invalid_request', "'version' needs a 'project'");
  }
  return {
    query,
    ...(project === undefined ? {} : { project }),
    ...(version === undefined ? {} : { version }),
    ...filterOf(asked),
    mayNameProject: !flagOf(asked, 'all_projects'),
    facets: flagOf(asked, 'facets'),
    limit: numberOf(asked, 'limit', DEFAULT_LIMIT, 1, MAX_LIMIT),
    offset: numberOf(asked, 'offset', 0, 0, MAX_RESULTS - 1),
    languages: languagesOf(asked),
    waiter: asked.waiter,
  };
}

/** Whether there is anything to search for. */
export function isEmptySearch({ query }: PageSearch): boolean {
  return query.trim() === '';
}

/** The languages of `Accept-Language`, best first; English where the reader names none. */
function languagesOf({ headers }: Asked): readonly string[] {
  const named = namedLanguages(headers);
  return named.length === 0 ? ['en'] : named;
}

/**
 * Reads the JSON body of a request.
 * @throws HttpFault `invalid_request` when it is no JSON of this schema, too large or too slow;
 *   `unsupported_media_type`
 */
export async function jsonBodyOf<Name extends SchemaName>(
  { body: sent }: Asked,
  name: Name,
): Promise<Body<Name>> {
  if (!sent.is('application/json') || sent.isEncoded) {
    throw new HttpFault('unsupported_media_type', 'Send the body as application/json, uncompressed');
  }
  const body = jsonIn(await sent.text(MAX_BODY_BYTES));
  if (body === undefined) throw new HttpFault('invalid_request', 'The body is not JSON');
  const read = schemas[name].safeParse(body);
  if (read.success) return read.data as Body<Name>;
  const faults = read.error.issues.map((issue) => {
    const what =
      issue.code === 'unrecognized_keys' ? `unknown field ${quote(issue.keys.join(', '))}` : issue.message;
    return `${issue.path.join('.') || 'the body'}: ${what}`;
  });
  throw new HttpFault('invalid_request', `The body does not match /api/spec: ${faults.join('; ')}`);
}
