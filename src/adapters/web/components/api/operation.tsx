import type {
  ErrorCode,
  OpenApi,
  OpenApiOperation,
  OpenApiResponse,
  OpenApiSchema,
} from '../../../../formats/index.js';
import { helpErrors } from '../../help/help-content.js';
import { pasteable } from '../../help/help-examples.js';
import { Inline } from '../prose.js';
import { Fields, nameOf, Properties, SchemaLink } from './fields.js';

/** An operation with its place in the description. */
interface PlacedOperation {
  /** In lower case. */
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly operation: OpenApiOperation;
}

interface OperationProps extends PlacedOperation {
  readonly schemas: OpenApi['components']['schemas'];
  /** Address of the server, for the command. */
  readonly address: string;
}

/** One operation of the API: what it takes, and what it answers. */
export function Operation({ schemas, address, ...placed }: OperationProps) {
  const { method, path, operation } = placed;
  const { operationId: id, summary, description, parameters, requestBody, responses } = operation;
  const exampleOf = (schema: OpenApiSchema) => schemas[nameOf(schema) ?? '']?.example;
  const [body] = Object.values(requestBody?.content ?? {});
  const [answers, refusals] = [true, false].map((isAnswer) =>
    Object.entries(responses).filter(([status]) => Number(status) < 400 === isAnswer),
  );
  return (
    <section class="api-operation" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h3 id={`${id}-title`}>
          <a class="quiet-link" href={`#${id}`}>
            {summary}
          </a>
        </h3>
        <p>
          <code>
            <strong>{method.toUpperCase()}</strong> {path}
          </code>{' '}
          {isTokenNeeded(operation) && <span class="mark">takes a token</span>}
        </p>
        {description !== undefined && (
          <p>
            <Inline text={description} />
          </p>
        )}
        <pre tabindex={0}>
          <code>{curlCommand(placed, address, exampleOf)}</code>
        </pre>
        {parameters.length > 0 && (
          <>
            <h4>Parameters</h4>
            <Fields
              fields={parameters.map((each) => ({
                ...each,
                note: `in the ${each.in}${each.required ? ', required' : ''}`,
              }))}
            />
          </>
        )}
        {body !== undefined && (
          <>
            <h4>Body</h4>
            <Properties schema={schemas[nameOf(body.schema) ?? ''] ?? body.schema} />
          </>
        )}
      </div>
      <div>
        <h4>Answers</h4>
        <dl class="api-fields">
          {answers?.map(([status, response]) => (
            <AnswerOf key={status} status={status} response={response} exampleOf={exampleOf} />
          ))}
        </dl>
        <h4>Refusals</h4>
        <dl class="api-fields">
          {refusals?.flatMap(([status, response]) =>
            codesOf(response).map((code) => (
              <div key={status + code}>
                <dt>
                  {status} <code>{code}</code>
                </dt>
                <dd>
                  <Inline text={helpErrors[code]} />
                </dd>
              </div>
            )),
          )}
        </dl>
      </div>
    </section>
  );
}

interface AnswerProps {
  readonly status: string;
  readonly response: OpenApiResponse;
  readonly exampleOf: (schema: OpenApiSchema) => unknown;
}

function AnswerOf({ status, response: { description, content = {} }, exampleOf }: AnswerProps) {
  return (
    <div>
      <dt>{status}</dt>
      <dd>
        <Inline text={description} />
        {Object.entries(content).map(([type, { schema, example = exampleOf(schema) }]) => {
          const name = nameOf(schema);
          return (
            <div key={type}>
              <p class="count">
                {type}
                {name !== undefined && (
                  <>
                    , <SchemaLink name={name} />
                  </>
                )}
              </p>
              {example !== undefined && (
                <pre tabindex={0}>
                  <code>{typeof example === 'string' ? example : JSON.stringify(example, null, 2)}</code>
                </pre>
              )}
            </div>
          );
        })}
      </dd>
    </div>
  );
}

/** Error codes of a refusal. */
function codesOf({ content }: OpenApiResponse): readonly ErrorCode[] {
  const [, failure] = content?.['application/json']?.schema.allOf ?? [];
  return (failure?.properties?.error?.enum ?? []) as readonly ErrorCode[];
}

/** Whether an operation does nothing without a token. */
function isTokenNeeded({ security }: OpenApiOperation): boolean {
  return security.length > 0 && security.every((each) => Object.keys(each).length > 0);
}

/**
 * Returns a command that asks for an operation with the examples of its parameters and its body.
 * @param address address of the server, without a trailing `/`
 * @param exampleOf returns the example of a body
 */
function curlCommand(
  { method, path, operation }: PlacedOperation,
  address: string,
  exampleOf: (schema: OpenApiSchema) => unknown,
): string {
  const { parameters, requestBody, responses } = operation;
  const examples = new Map(parameters.map(({ name, example = '' }) => [name, encodeURIComponent(example)]));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${examples.get(name)}`);
  const target = path.replace(/\{(\w+)\}/g, (_, name) => examples.get(name) ?? '');
  const url = pasteable(address) + target;
  const form = requestBody?.content['multipart/form-data'];
  const json = requestBody?.content['application/json'];
  const isFile = responses[200]?.content?.['application/zip'] !== undefined;
  const implied = form === undefined ? 'get' : 'post';
  const parts = [
    `curl${method === implied ? '' : ` -X ${method.toUpperCase()}`}${isFile ? ' -LOJ' : ''}`,
    ...(isTokenNeeded(operation) ? ['-H "X-Token: $LECTERN_TOKEN"'] : []),
    ...(form === undefined ? [] : ['-F "file=@my-project-1.0.0-docs.zip"']),
    ...(json === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d '${JSON.stringify(exampleOf(json.schema))}'`]),
    query.length === 0 ? url : `"${url}?${query.join('&')}"`,
  ];
  return parts.join(parts.length > 2 ? ' \\\n  ' : ' ');
}
