import type { Context } from 'koa';
import type { ErrorCode } from '../errors.js';
import type { SchemaName } from './schemas.js';

/** A successful response of an operation. */
export interface Answer {
  readonly description: string;
  /** Schema of a JSON body; or JSON Schemas of others, by media type. Without it, there is no body. */
  readonly body?: SchemaName | Readonly<Record<string, object>>;
  readonly headers?: readonly HeaderName[];
}

/** An operation of the API: route and entry in `/api/spec` are defined together, so that they always agree. */
export interface ApiOperation {
  readonly method: 'get' | 'post' | 'delete';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterName[];
  readonly requestHeaders?: readonly RequestHeaderName[];
  readonly upload?: true;
  readonly needsToken?: true;
  readonly answers: Readonly<Record<number, Answer>>;
  readonly refusals: readonly ErrorCode[];
  readonly handle: (ctx: Context) => Promise<void>;
}

/** Parameters in paths and queries. */
export const PARAMETERS = {
  project: { in: 'path', required: true, description: 'Project directory name.' },
  version: { in: 'path', required: true, description: 'Version label.' },
  versionOrLatest: {
    in: 'path',
    name: 'version',
    required: true,
    description: 'Version label, or the literal `latest`, which selects the latest version.',
  },
  search: {
    in: 'query',
    required: false,
    description:
      'A part of the name or the directory name, whatever its case, of at most 200 characters. Empty lists all.',
  },
} as const satisfies Record<string, { in: string; name?: string; required: boolean; description: string }>;

export type ParameterName = keyof typeof PARAMETERS;

/** Request headers that change a response. */
export const REQUEST_HEADERS = {
  'If-None-Match': 'ETags of copies that the client has; answered by 304 when one is current.',
  'If-Modified-Since': 'A date; answered by 304 when nothing is newer. Ignored beside If-None-Match.',
  Range: 'One range of bytes (RFC 9110, section 14).',
  'If-Range': 'The ETag or date for which the range is wanted; otherwise the whole body comes.',
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

export const HEADERS = {
  'X-Request-Id': 'The id of the request in the log of the server.',
  ETag: 'Changes whenever the body changes.',
  'Last-Modified': 'When the body was changed.',
  'Accept-Ranges': 'Always `bytes`.',
  'Content-Range': 'The range that is answered, and the size of the whole.',
  'Content-Disposition': 'The file name of the archive, with the version that `latest` stood for.',
  Location: 'The path of the published site.',
  Allow: 'The methods that the path takes.',
  'Retry-After': 'Seconds after which another try makes sense.',
} as const;

export type HeaderName = keyof typeof HEADERS;
