import type { OpenApiOperation, OpenApiSchema } from '../../../../formats/index.js';
import { pasteable } from '../../help/help-examples.js';

/** An operation with its place in the description. */
export interface PlacedOperation {
  /** In lower case. */
  readonly method: string;
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** Whether an operation does nothing without a token. */
export function isTokenNeeded({ security }: OpenApiOperation): boolean {
  return security.length > 0 && security.every((each) => Object.keys(each).length > 0);
}

/**
 * Returns a command that asks for an operation with the examples of its parameters and its body.
 * @param address address of the server, without a trailing `/`
 * @param exampleOf returns the example of a body
 */
export function curlCommand(
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
