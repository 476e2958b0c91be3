import { quote } from '../../../domain/index.js';
import { type Body, type SchemaName, schemas } from '../../../formats/api/bodies.js';
import { jsonIn } from '../../../formats/json.js';
import { HttpFault } from '../errors.js';
import type { Asked } from '../response/answer.js';

/** Max. bytes of a JSON body. */
const MAX_BYTES = 16 * 1024;

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
  const body = jsonIn(await sent.text(MAX_BYTES));
  if (body === undefined) throw new HttpFault('invalid_request', 'The body is not JSON');
  const read = schemas[name].safeParse(body);
  if (read.success) return read.data as Body<Name>;
  const faults = read.error.issues.map((issue) => {
    const what =
      issue.code === 'unrecognized_keys' ? `unknown field ${quote(issue.keys.join(', '))}` : issue.message;
    return `${issue.path.join('.') || 'the body'}: ${what}`;
  });
  throw new HttpFault('invalid_request', `The body is not as /api/spec describes it: ${faults.join('; ')}`);
}
