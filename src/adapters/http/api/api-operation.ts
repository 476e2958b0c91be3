import type { AuditAction } from '../../../application/index.js';
import type { Actor } from '../../../domain/index.js';
import type { Body, SchemaName } from '../../../formats/api/bodies.js';
import type { ErrorCode, OpenApiContent } from '../../../formats/index.js';
import type { Answer, Asked } from '../response/answer.js';
import type { HeaderName, ParameterName, RequestHeaderName } from './parameters.js';

/** A successful answer of an operation, as `/api/spec` describes it. */
export type DescribedAnswer = {
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
    'Find projects, versions, previews and pages, and download them. No token is required, except for private projects.',
  Tokens: 'Create tokens with a subset of your rights, list and revoke them.',
  Manage: 'Delete and restore versions, and change the settings of projects.',
  Server: 'Version, client and help of the server.',
} as const;

/** An operation without its handler: its route, and its entry in `/api/spec`. */
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
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Error codes beside the ones that every operation has, or every operation that needs a token. */
  readonly refusals?: readonly Exclude<ErrorCode, 'authentication_required'>[];
}

/** An operation that anyone may ask for. */
interface PublicOperation extends Outline {
  readonly needsToken?: never;
  readonly handle: (asked: Asked) => Promise<Answer>;
}

/** An operation that needs a token. The handler gets the actor whom the router has found, before any body is read. */
interface ActorsOperation extends Outline {
  readonly needsToken: true;
  readonly handle: (asked: Asked, actor: Actor) => Promise<Answer>;
}

interface ReadingOperation extends ActorsOperation {
  readonly method: 'get';
  readonly changes?: never;
}

export interface ChangingOperation extends ActorsOperation {
  readonly method: Exclude<Outline['method'], 'get'>;
  /** The change as which its refusals are recorded. */
  readonly changes: AuditAction;
}

type TokenOperation = ReadingOperation | ChangingOperation;

/** An operation of the API: route and entry in `/api/spec` are defined together, so that they always agree. */
export type ApiOperation = PublicOperation | TokenOperation;
