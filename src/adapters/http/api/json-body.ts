import type { Context } from 'koa';
import { quote } from '../../../domain/index.js';
import { type Body, type SchemaName, schemas } from '../../../formats/api/bodies.js';
import { jsonIn } from '../../../formats/json.js';
import { HttpFault } from '../errors.js';

/** Max. bytes of a JSON body. */
const MAX_BYTES = 16 * 1024;
/** Max. time for it to come, in milliseconds. */
const MAX_MS = 10_000;

/**
 * Reads the JSON body of a request.
 * @throws HttpFault `invalid_request` when it is no JSON of this schema, too large or too slow;
 *   `unsupported_media_type`
 */
export async function jsonBodyOf<Name extends SchemaName>(ctx: Context, name: Name): Promise<Body<Name>> {
  if (!ctx.is('application/json') || (ctx.get('Content-Encoding') || 'identity') !== 'identity') {
    throw new HttpFault('unsupported_media_type', 'Send the body as application/json, uncompressed');
  }
  const body = jsonIn(await bodyTextOf(ctx, MAX_BYTES));
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

/**
 * Reads the body, also of a client that waits for `100 Continue`. Does not destroy the request on failure: the response
 * still has to reach the client.
 * @throws HttpFault `invalid_request` when it is too large or too slow
 */
export async function bodyTextOf(
  { req, res }: Pick<Context, 'req' | 'res'>,
  maxBytes: number,
): Promise<string> {
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let late: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = (why: string) => reject(new HttpFault('invalid_request', `The body ${why}`));
      late = setTimeout(() => refuse('came too slowly'), MAX_MS);
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBytes) refuse(`is larger than ${maxBytes} bytes`);
        else chunks.push(chunk);
      });
      req.on('end', resolve).on('close', () => refuse('broke off'));
    });
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).toString('utf8');
}
