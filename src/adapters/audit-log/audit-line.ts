import type { AuditEntry } from '../../application/index.js';

/** Max. characters of each text in a line: names come from requests, and sentences about projects may be long. */
const MAX_TEXT = 500;
/** Max. elements of each list or object in a line. */
const MAX_ELEMENTS = 100;

/** Formats an entry as one line of JSON, with its line break. Rights and secrets of actors are not in it. */
export function auditLine(entry: AuditEntry): string {
  const { time, action, actor, project, version, before, after, result, error, reason, count } = entry;
  const line = {
    time: time.toISOString(),
    action,
    actor:
      actor === undefined
        ? { kind: 'unknown' }
        : { kind: actor.kind, name: actor.name, subject: actor.subject, maker: actor.maker },
    address: actor?.request?.address,
    project,
    version,
    before,
    after,
    result,
    error,
    reason,
    count,
    request_id: actor?.request?.id,
  };
  return `${JSON.stringify(line, (_, value: unknown) => bounded(value))}\n`;
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MAX_ELEMENTS);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  return fields.length > MAX_ELEMENTS ? Object.fromEntries(fields.slice(0, MAX_ELEMENTS)) : value;
}
