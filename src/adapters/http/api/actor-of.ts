import type { Context } from 'koa';
import type { Authenticate, Credential } from '../../../application/index.js';
import { type Actor, Refusal } from '../../../domain/index.js';

/**
 * Finds out whose request it is, from its headers alone, and notes the name for the log.
 * @throws Refusal `authentication_required`
 */
export async function actorOf(ctx: Context, authenticate: Authenticate): Promise<Actor> {
  const { notes } = ctx.state;
  try {
    const actor = await authenticate.execute(credentialOf(ctx));
    notes.token = actor.name;
    return actor;
  } catch (error) {
    // An expired token is known by its name, so the log says whose it was.
    if (error instanceof Refusal && typeof error.facts.token === 'string') notes.token = error.facts.token;
    throw error;
  }
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
