import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { AppParts } from '../app-parts.js';
import { ClientLeft, failureOf, jsonFailure, titleOf } from '../errors.js';
import { answerAndLinger, hasUnreadBody } from '../server/connections.js';
import { type Answer, type Asked, JSON_TYPE, ownPageAnswer, plainAnswer, type Rendered } from './answer.js';
import { countRead } from './kept-answers.js';
import { render } from './render.js';

/** Carries an answer: renders it, logs its failure, counts and keeps it. Nothing is sent to a client that has left. */
export async function send(
  ctx: Context,
  asked: Asked,
  answering: Promise<Answer>,
  parts: AppParts,
): Promise<void> {
  let answer: Answer | undefined;
  let rendered: Rendered;
  try {
    answer = await answering;
    rendered = await render(answer, asked, parts);
  } catch (error) {
    if (error instanceof ClientLeft) {
      ctx.respond = false;
      return;
    }
    answer = { ...failureAnswer(error, asked, parts), about: answer?.about };
    rendered = await render(answer, asked, parts);
  }
  noteFailure(answer, asked, parts);
  const { status, headers, body } = rendered;
  const isCounted = answer.counts?.as === 'misses' ? status === 404 : status === 200 || status === 304;
  if (isCounted) countRead(answer.counts, asked, parts.useCases.countReads);
  parts.kept.keep(answer, asked, rendered, parts.at);
  if (ctx.res.destroyed) {
    if (body instanceof Readable) body.destroy();
    ctx.respond = false;
    return;
  }
  ctx.status = status;
  for (const [name, value] of headers) ctx.res.setHeader(name, value);
  // The client may still be sending: the rest of its body is read and dropped before the connection is closed.
  const isEarly = status >= 400 && !(body instanceof Readable) && hasUnreadBody(ctx.req);
  if (!isEarly && body !== undefined) {
    ctx.body = body;
    return;
  }
  ctx.respond = false;
  if (isEarly) {
    ctx.set('Connection', 'close');
    await answerAndLinger(ctx.req, ctx.res, body ?? '');
  } else ctx.res.end();
}

/** Notes a failure for the line of the request, and logs what concerns whoever runs the server. */
function noteFailure({ status, failure }: Answer, { id, notes }: Asked, parts: AppParts): void {
  if (failure === undefined) return;
  const { code, message, error } = failure;
  const { logger, requestLog } = parts;
  notes.refusal = code;
  if (status === 500) logger.error({ requestId: id, err: error }, 'failed');
  else if (code === 'unavailable' || code === 'insufficient_storage') {
    const { cause } = error as Error;
    // A failure without a cause is intended: a queue is full, for example. The stack would say nothing.
    if (cause !== undefined) logger.warn({ requestId: id, err: cause }, code);
    else if (requestLog.hasReasons) notes.reason = message;
    else logger.warn({ requestId: id, reason: message }, code);
  }
}

/** Answers anything thrown: JSON on paths for programs, a page elsewhere. Nothing of the answer that failed is in it. */
function failureAnswer(error: unknown, asked: Asked, { pages, at }: AppParts): Answer {
  const failed = failureOf(error);
  const { status, code, message, headers } = failed;
  const failure = { code, message, error };
  const json = jsonFailure(asked.path, failed);
  if (json !== undefined)
    return { ...plainAnswer(json, JSON_TYPE), status, cache: 'never', headers, failure };
  const page = pages.failure({
    status,
    title: titleOf(status),
    message,
    ...(status === 500 ? { requestId: asked.id } : {}),
    signIn: status === 404 ? asked.visitor.signIn(at.asked(asked)) : undefined,
  });
  const answer = ownPageAnswer(page);
  return { ...answer, status, cache: 'never', headers: { ...headers, ...answer.headers }, failure };
}
