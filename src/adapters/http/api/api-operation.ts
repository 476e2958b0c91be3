import type { Context } from 'koa';
import { MAX_RESULTS } from '../../../application/index.js';
import { type Actor, USAGE_KEPT_DAYS } from '../../../domain/index.js';
import type { Body, SchemaName } from '../../../formats/api/bodies.js';
import type { ErrorCode, OpenApiContent, OpenApiParameter } from '../../../formats/index.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from './page-search-of.js';
import { DEFAULT_USAGE_DAYS } from './usage-of.js';

/** A successful response of an operation. */
export type Answer = {
  readonly description: string;
  readonly headers?: readonly HeaderName[];
} & (JsonBody[SchemaName] | OtherBody);

/** A JSON body by the name of its schema; `example` where that of the schema is about another operation. */
type JsonBody = { readonly [Name in SchemaName]: { readonly body: Name; readonly example?: Body<Name> } };

/** JSON Schemas of other bodies, by media type. Without it, there is no body. */
interface OtherBody {
  readonly body?: OpenApiContent;
  readonly example?: never;
}

/** Groups of operations by use, in the order in which `/-/api` shows them. */
export const USES = {
  Publish: 'Upload versions and previews, and see what a token may do.',
  'Read and search':
    'Find projects, versions, previews and pages, and download them. None of it takes a token.',
  Manage: 'Delete and restore versions, and change what is set for a project.',
  Server: 'Which server this is, and how to use it.',
} as const;

/** An operation but for what it does: its route, and its entry in `/api/spec`. */
interface Outline {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly id: string;
  readonly use: keyof typeof USES;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterName[];
  readonly requestHeaders?: readonly RequestHeaderName[];
  readonly upload?: true;
  /** Schema of a JSON body, which is required. */
  readonly requestBody?: SchemaName;
  readonly answers: Readonly<Record<number, Answer>>;
  /** Further error codes than those that every operation has, or every one that needs a token. */
  readonly refusals: readonly Exclude<ErrorCode, 'authentication_required'>[];
}

/** An operation that anyone may ask for. */
interface PublicOperation extends Outline {
  readonly needsToken?: never;
  readonly handle: (ctx: Context) => Promise<void>;
}

/** An operation that needs a token. Its handler gets the actor whom the router has found, before any body is read. */
export interface TokenOperation extends Outline {
  readonly needsToken: true;
  readonly handle: (ctx: Context, actor: Actor) => Promise<void>;
}

/** An operation of the API: route and entry in `/api/spec` are defined together, so that they always agree. */
export type ApiOperation = PublicOperation | TokenOperation;

/** Parameters in paths and queries. */
export const PARAMETERS = {
  project: { in: 'path', required: true, description: 'Project directory name.', example: 'my-project' },
  version: { in: 'path', required: true, description: 'Version label.', example: '1.0.0' },
  alias: {
    in: 'path',
    required: true,
    description: 'Name like that of a version, or `latest`.',
    example: 'stable',
  },
  versionOrLatest: {
    in: 'path',
    name: 'version',
    required: true,
    description: 'Version label, an alias, or the literal `latest`, which selects the latest version.',
    example: 'latest',
  },
  before: {
    in: 'path',
    required: true,
    description: 'Label or alias of the earlier version, `~<name>` of a preview, or the literal `latest`.',
    example: '1.0.0',
  },
  after: {
    in: 'path',
    required: true,
    description: 'Label or alias of the later version, `~<name>` of a preview, or the literal `latest`.',
    example: '1.1.0',
  },
  offset: {
    in: 'query',
    required: false,
    description: 'Pages to leave out at the beginning of each list.',
    schema: { type: 'integer', minimum: 0, default: 0 },
  },
  name: { in: 'path', required: true, description: 'Name of the preview.', example: 'pr-123' },
  search: {
    in: 'query',
    required: false,
    description:
      'A part of the name or the directory name, whatever its case, of at most 200 characters. Empty lists all.',
  },
  group: {
    in: 'query',
    required: false,
    description: 'Group that the projects are in, whatever its case. Empty lists all.',
  },
  tag: {
    in: 'query',
    required: false,
    description: 'Tag that the projects have, whatever its case. Empty lists all.',
  },
  replace: {
    in: 'query',
    required: false,
    description: 'With `true`, it takes the place of the version that is there now.',
    schema: { type: 'boolean', default: false },
  },
  revision: {
    in: 'query',
    required: false,
    description: 'Which of several removed publications; the one that was removed last is the default.',
  },
  purge: {
    in: 'query',
    required: false,
    description: 'With `true`, the version is deleted for good: nothing of it is kept.',
    schema: { type: 'boolean', default: false },
  },
  dryRun: {
    in: 'query',
    name: 'dry_run',
    required: false,
    description: 'With `true`, nothing is changed: the answer says what would be removed.',
    schema: { type: 'boolean', default: false },
  },
  q: {
    in: 'query',
    required: true,
    description: 'What to search for, at most 200 characters. Words after the twelfth are ignored.',
    example: 'install',
  },
  ofProject: {
    in: 'query',
    name: 'project',
    required: false,
    description: 'Directory name of the only project to search in.',
  },
  ofVersion: {
    in: 'query',
    name: 'version',
    required: false,
    description:
      'Version label, an alias, `latest`, or `~<name>` of a preview. It needs `project`; without it, the latest version is searched unless it is hidden.',
  },
  limit: {
    in: 'query',
    required: false,
    description: 'Max. number of results.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  days: {
    in: 'query',
    required: false,
    description: 'Number of days to count back, today included.',
    schema: { type: 'integer', minimum: 1, maximum: USAGE_KEPT_DAYS, default: DEFAULT_USAGE_DAYS },
  },
  usageFormat: {
    in: 'query',
    name: 'format',
    required: false,
    description: '`json` has sums for all days, `csv` a row for each day, version and path.',
    schema: { type: 'string', enum: ['json', 'csv'], default: 'json' },
  },
  resultOffset: {
    in: 'query',
    name: 'offset',
    required: false,
    description: 'Results to leave out.',
    schema: { type: 'integer', minimum: 0, maximum: MAX_RESULTS - 1, default: 0 },
  },
} as const satisfies Record<string, Omit<OpenApiParameter, 'name' | 'schema'> & Partial<OpenApiParameter>>;

export type ParameterName = keyof typeof PARAMETERS;

/** Request headers that change a response. */
export const REQUEST_HEADERS = {
  'If-None-Match': 'ETags of copies that the client has; answered by 304 when one is current.',
  'If-Modified-Since': 'A date; answered by 304 when nothing is newer. Ignored beside If-None-Match.',
  'Accept-Language': 'Languages of the reader, English by default: pages in others come after these.',
  Range: 'One range of bytes (RFC 9110, section 14).',
  'If-Range': 'The ETag or date for which the range is wanted; otherwise the whole body comes.',
} as const;

export type RequestHeaderName = keyof typeof REQUEST_HEADERS;

export const HEADERS = {
  'X-Request-Id': 'The id of the request in the log of the server.',
  ETag: 'Changes whenever the body changes.',
  Vary: 'Request headers that the body depends on.',
  'Last-Modified': 'When the body was changed.',
  'Accept-Ranges': 'Always `bytes`.',
  'Content-Range': 'The range that is answered, and the size of the whole.',
  'Content-Disposition': 'The file name of the archive, with the version that `latest` stood for.',
  Location: 'The path of the published site.',
  Allow: 'The methods that the path takes.',
  'Retry-After': 'Seconds after which another try makes sense.',
} as const;

export type HeaderName = keyof typeof HEADERS;
