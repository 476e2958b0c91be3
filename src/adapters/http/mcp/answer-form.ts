import type { Context } from 'koa';
import { MAX_NEGOTIATED, preferredType } from '../response/negotiation.js';

/** Form of the answer to a message: a JSON body, one server-sent event, or as the SDK has it for the revision of the protocol. */
export type AnswerForm = 'json' | 'sse' | 'either';

// With the parameter that both may be sent with: a client may name it, and one that names none means them as well.
const JSON_TYPE = 'application/json; charset=utf-8';
const SSE_TYPE = 'text/event-stream; charset=utf-8';
/** Both types without a weight, as the protocol asks of clients. */
const BOTH = ['application/json', 'text/event-stream'].map((type) =>
  RegExp(`(?:^|,)\\s*${type}\\s*(?:,|$)`, 'i'),
);

/** Returns the form that a client accepts (RFC 9110 section 12.5.1), JSON where it has no preference; undefined for neither. */
export function answerFormFor(ctx: Context): AnswerForm | undefined {
  const accept = ctx.get('Accept');
  if (accept.length <= MAX_NEGOTIATED && BOTH.every((type) => type.test(accept))) return 'either';
  const preferred = preferredType(ctx, JSON_TYPE, SSE_TYPE);
  if (preferred === undefined) return undefined;
  return preferred === JSON_TYPE ? 'json' : 'sse';
}
