import type { ComponentProps } from 'preact';
import type { OpenApi, OpenApiOperation, OpenApiResponse, OpenApiSchema } from '../../../../formats/index.js';
import { pasteable } from '../../help/help-examples.js';
import { Fold } from '../fold.js';
import { Inline } from '../prose.js';
import { Copyable } from '../search/snippet.js';
import { Errors, isTokenNeeded } from './errors.js';
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
  /** Errors that only some operations return. */
  readonly errors: ComponentProps<typeof Errors>['errors'];
  readonly schemas: OpenApi['components']['schemas'];
  /** Address of the server, for the command. */
  readonly address: string;
}

/** An operation of the API: method, path and purpose; unfolded, what it takes and returns. */
export function Operation({ errors, schemas, address, ...placed }: OperationProps) {
  const { method, path, operation } = placed;
  const { operationId: id, summary, description, parameters, requestBody, responses } = operation;
  const exampleOf = (schema: OpenApiSchema) => schemas[nameOf(schema) ?? '']?.example;
  const [body] = Object.values(requestBody?.content ?? {});
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return (
    <Fold
      id={id}
      title={
        <h3 class="api-title line">
          <code class={`api-${method}`}>{method.toUpperCase()}</code> <code>{path}</code>{' '}
          <span>{summary}</span>
        </h3>
      }
    >
      <div class="sides api-columns">
        <div>
          {description !== undefined && (
            <p>
              <Inline text={description} />
            </p>
          )}
          <p class="count">
            {isTokenNeeded(operation) && 'Requires a token. '}
            <a class="soft-link" href={`#${id}`}>
              Link to this operation
            </a>
          </p>
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
          {errors.length > 0 && (
            <>
              <h4>Errors</h4>
              <Errors errors={errors} />
            </>
          )}
        </div>
        <div>
          <Copyable title="Request">{curlCommand(placed, address, exampleOf)}</Copyable>
          <h4>Responses</h4>
          <dl class="api-fields">
            {answers.map(([status, response]) => (
              <ResponseOf key={status} status={status} response={response} exampleOf={exampleOf} />
            ))}
          </dl>
        </div>
      </div>
    </Fold>
  );
}

interface ResponseProps {
  readonly status: string;
  readonly response: OpenApiResponse;
  readonly exampleOf: (schema: OpenApiSchema) => unknown;
}

function ResponseOf({ status, response: { description, content = {} }, exampleOf }: ResponseProps) {
  return (
    <div>
      <dt>
        <code>{status}</code>
      </dt>
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
  const [command, ...options] = parts;
  return `${command} ${options.join(' \\\n  ')}`;
}
