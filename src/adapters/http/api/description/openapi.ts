import * as z from 'zod';
import { SOURCE_FACTS, SOURCE_FORMS } from '../../../../domain/index.js';
import { schemas } from '../../../../formats/api/bodies.js';
import {
  type ErrorCode,
  type OpenApi,
  type OpenApiOperation,
  type OpenApiParameter,
  type OpenApiResponse,
  type OpenApiSchema,
  STATUS_OF,
} from '../../../../formats/index.js';
import type { AppParts } from '../../app-parts.js';
import { titleOf } from '../../errors.js';
import { type ApiOperation, type DescribedAnswer, USES } from '../api-operation.js';
import { HEADERS, type HeaderName, PARAMETERS, REQUEST_HEADERS } from '../parameters.js';
import { examples } from './examples.js';
import { usedComponents } from './used-components.js';

/** Fields of the upload's form that say where the site was built from. */
const sourceFields = Object.fromEntries(
  SOURCE_FACTS.map((fact) => {
    const { maxCharacters, rule } = SOURCE_FORMS[fact];
    const description = `The ${fact} that the site was built from: ${rule}. Claims in the token of a job take precedence.`;
    return [
      `source_${fact}`,
      { type: 'string' as const, maxLength: maxCharacters, default: '', description },
    ];
  }),
);

/** Error codes that every operation can return. */
const EVERYWHERE: readonly ErrorCode[] = ['invalid_request', 'internal', 'unavailable'];

/** Returns the OpenAPI 3.0.3 document of the operations. */
export function openApiDocument(
  operations: readonly ApiOperation[],
  { version, at, readers: { areDifferent: isPrivate } }: Pick<AppParts, 'version' | 'at' | 'readers'>,
): OpenApi {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationObject(operation, isPrivate),
    };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Lectern',
      version,
      description:
        'A documentation host: upload a zip archive of a site, and read it a moment later. ' +
        'All errors under `/api/` have the same body: `error` is a code for programs, `message` a text for people.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: at.server }],
    tags: Object.entries(USES).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...usedComponents(paths, { schemas: COMPONENT_SCHEMAS, headers: COMPONENT_HEADERS }),
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Token',
          description: 'A secret from the tokens file. Compared case-sensitively.',
        },
        job: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'The OpenID Connect token of a CI job, from an issuer that the server trusts. `X-Token` takes precedence.',
        },
        ...(isPrivate ? OF_READERS : {}),
      },
    },
  };
}

/** Where reading may take a token, it takes one in more forms. No change does. */
const OF_READERS = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'For reading private projects: the secret of a token, the token of a CI job, or the access token of a person.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description:
      'For reading private projects with programs that support nothing else: the secret of a token as the password, with any user name. Any other password is ignored.',
  },
} as const;

/** Without anything, or with any of these. */
const OPTIONAL = [{}, { token: [] }, { bearer: [] }, { basic: [] }];

function operationObject(operation: ApiOperation, isPrivate: boolean): OpenApiOperation {
  return {
    operationId: operation.id,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.use],
    security: operation.needsToken ? [{ token: [] }, { job: [] }] : isPrivate ? OPTIONAL : [],
    parameters: parametersOf(operation),
    requestBody: operation.upload ? uploadBody() : jsonBody(operation.requestBody),
    responses: { ...successes(operation), ...failures(operation, isPrivate) },
  };
}

function parametersOf({ parameters = [], requestHeaders = [] }: ApiOperation): OpenApiParameter[] {
  return [
    ...parameters.map((key) => ({ name: key, schema: { type: 'string' }, ...PARAMETERS[key] })),
    ...requestHeaders.map((name) => ({
      name,
      in: 'header' as const,
      required: false,
      description: REQUEST_HEADERS[name],
      schema: { type: 'string' },
    })),
  ];
}

function successes({ answers }: ApiOperation): OpenApiOperation['responses'] {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, body, example, headers = [] }]) => [
      status,
      { description, headers: headerReferences([...headers, 'X-Request-Id']), ...contentOf(body, example) },
    ]),
  );
}

function contentOf(body: DescribedAnswer['body'], example?: object): Pick<OpenApiResponse, 'content'> {
  if (body === undefined) return {};
  if (typeof body === 'object') return { content: body };
  const schema = { $ref: `#/components/schemas/${body}` };
  return { content: { 'application/json': example === undefined ? { schema } : { schema, example } } };
}

function failures(
  { needsToken, refusals = [], requestHeaders = [], upload }: ApiOperation,
  isPrivate: boolean,
): OpenApiOperation['responses'] {
  const codesByStatus = new Map<number, ErrorCode[]>();
  const known: readonly ErrorCode[] = [
    ...(needsToken || isPrivate ? (['authentication_required'] as const) : []),
    ...(isPrivate ? (['person_not_accepted'] as const) : []),
  ];
  for (const code of [...known, ...refusals, ...EVERYWHERE]) {
    const status = STATUS_OF[code];
    codesByStatus.set(status, [...(codesByStatus.get(status) ?? []), code]);
  }
  if (requestHeaders.includes('Range')) codesByStatus.set(416, ['invalid_request']);
  if (upload !== undefined) codesByStatus.set(408, ['invalid_request']);
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      String(status),
      {
        description: `${titleOf(status)}: ${[...new Set(codes)].map((code) => `\`${code}\``).join(', ')}`,
        headers: headerReferences([
          'X-Request-Id',
          ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
          ...(status === 503 ? (['Retry-After'] as const) : []),
          ...(status === 416 ? (['Content-Range'] as const) : []),
        ]),
        content: {
          'application/json': {
            schema: {
              example: { success: false, error: codes[0], message: 'The cause, and how to fix it' },
              allOf: [
                { $ref: '#/components/schemas/Failure' },
                { type: 'object', properties: { error: { type: 'string', enum: [...new Set(codes)] } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

function jsonBody(schema: ApiOperation['requestBody']): OpenApiOperation['requestBody'] {
  const { content } = contentOf(schema);
  return content && { required: true, content };
}

function uploadBody(): OpenApiOperation['requestBody'] {
  return {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: {
              type: 'string',
              format: 'binary',
              description:
                'Zip archive. Its file name gives project and version, `<project>-<version>-docs.zip`, or a preview, `<project>~<name>-docs.zip`.',
            },
            expires: {
              type: 'string',
              pattern: '^([1-9][0-9]*[hd])?$',
              // Forms that are made from the description send it empty, and not some text that fits.
              default: '',
              description:
                'Lifetime of a preview after this upload, in hours or days, such as `12h` or `14d`. Only for previews.',
            },
            strict: {
              type: 'string',
              enum: ['', 'true', 'false'],
              default: '',
              description:
                'With `true`, a site with warnings is refused with `site_has_warnings`, and nothing is published.',
            },
            strict_links: {
              type: 'string',
              enum: ['', 'true', 'false'],
              default: '',
              description:
                'With `true`, a site with dead links that the previous release does not have is refused with `dead_links`, and nothing is published.',
            },
            ...sourceFields,
          },
        },
        encoding: { file: { contentType: 'application/zip, application/octet-stream' } },
      },
    },
  };
}

/** The schemas of all bodies with an example each, made once. */
const COMPONENT_SCHEMAS = componentSchemas();

function componentSchemas(): Readonly<Record<string, OpenApiSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: written } = z.toJSONSchema(registry, {
    target: 'openapi-3.0',
    uri: (id) => `#/components/schemas/${id}`,
    // Fields may be added in a later version (contract section 6): clients must not refuse them.
    override: ({ jsonSchema }) => {
      delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    Object.entries(examples).map(([id, example]) => {
      const { $id: _id, ...schema } = written[id] as OpenApiSchema & { $id?: string };
      return [id, { ...schema, example }];
    }),
  );
}

const COMPONENT_HEADERS = Object.fromEntries(
  Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
);

function headerReferences(names: readonly HeaderName[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
