import type { Authenticate } from '../../../application/index.js';
import { type Actor, Refusal, visible } from '../../../domain/index.js';
import type { Asked } from '../response/answer.js';
import type { RequestNotes } from '../server/request-log.js';

/**
 * Finds out whose request it is for an operation that needs a token, and notes the name for the log.
 * @throws Refusal `authentication_required`; `unavailable` when the issuer of a job's token cannot be asked
 */
export async function actorOf(
  { visitor, notes, id, client }: Asked,
  authenticate: Authenticate,
): Promise<Actor> {
  try {
    const actor = await authenticate.execute(visitor.credential);
    noteActor(notes, actor);
    return { ...actor, request: { id, address: client } };
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

/** Max. characters of a job's subject in the log: that of GitHub has names of a repository and a branch. */
const MAX_SUBJECT = 500;

/** Without control characters, which could forge lines in a terminal. */
function subjectForLog(subject: string): string {
  return visible(subject.slice(0, MAX_SUBJECT));
}
