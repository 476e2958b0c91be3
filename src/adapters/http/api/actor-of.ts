import type { Context } from 'koa';
import type { Authenticate, Credential } from '../../../application/index.js';
import type { Actor } from '../../../domain/index.js';

/**
 * Finds out whose request it is, from its headers alone, and notes the name for the log.
 * @throws Refusal `authentication_required`
 */
export async function actorOf(ctx: Context, authenticate: Authenticate): Promise<Actor> {
  const actor = await authenticate.execute(credentialOf(ctx));
  ctx.state.notes.token = actor.name;
  return actor;
}

/**
 * The credential in `X-Token`. Node decodes headers as Latin-1; clients send non-ASCII secrets as UTF-8, as in the
 * tokens file.
 */
function credentialOf(ctx: Context): Credential | undefined {
  const header = ctx.headers['x-token'];
  if (typeof header !== 'string') return undefined;
  return { scheme: 'token', secret: Buffer.from(header, 'latin1').toString('utf8') };
}
