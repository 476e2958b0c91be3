import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from 'koa';
import type { Authenticate, Credential } from '../../../application/index.js';
import { type Actor, Refusal, visible } from '../../../domain/index.js';
import type { RequestNotes } from '../server/request-log.js';

/**
 * Finds out whose request it is, from its headers alone, and notes the name for the log.
 * @throws Refusal `authentication_required`; `unavailable` when the issuer of a job's token cannot be asked
 */
export async function actorOf(ctx: Context, authenticate: Authenticate): Promise<Actor> {
  const { notes } = ctx.state;
  try {
    const actor = await authenticate.execute(credentialOf(ctx.headers));
    noteActor(notes, actor);
    return actor;
  } catch (error) {
    noteUnknown(notes, error);
    throw error;
  }
}

/** Notes for the log whose request it is. */
export function noteActor(notes: RequestNotes, { name, maker, subject }: Actor): void {
  notes.token = name;
  if (maker !== undefined) notes.maker = maker;
  if (subject !== undefined) notes.job = subjectForLog(subject);
}

/** Notes whose request is refused: an expired token is known by its name, and a job that no entry fits by its subject. */
export function noteUnknown(notes: RequestNotes, error: unknown): void {
  const { token, maker, job } = error instanceof Refusal ? error.facts : {};
  if (typeof token === 'string') notes.token = token;
  if (typeof maker === 'string') notes.maker = maker;
  if (typeof job === 'string') notes.job = subjectForLog(job);
}

const BEARER = /^Bearer +([\w.~+/-]+=*) *$/i;

/**
 * The credential in `X-Token`, else in `Authorization` (RFC 6750, section 2.1). Node decodes headers as Latin-1; clients send
 * non-ASCII secrets as UTF-8, as in the tokens file.
 */
export function credentialOf(headers: IncomingHttpHeaders): Credential | undefined {
  const header = headers['x-token'];
  if (typeof header === 'string') {
    return { scheme: 'token', secret: Buffer.from(header, 'latin1').toString('utf8') };
  }
  // Other schemes are for proxies.
  const [, secret] = BEARER.exec(headers.authorization ?? '') ?? [];
  return secret === undefined ? undefined : { scheme: 'bearer', secret };
}

/** Max. characters of a job's subject in the log: that of GitHub has names of a repository and a branch. */
const MAX_SUBJECT = 500;

/** Without control characters, which could forge lines in a terminal. */
function subjectForLog(subject: string): string {
  return visible(subject.slice(0, MAX_SUBJECT));
}
