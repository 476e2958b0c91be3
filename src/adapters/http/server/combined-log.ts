import type { IncomingMessage } from 'node:http';

/** Facts about a request for its line in Apache's combined format, beside the request's headers. */
export interface CombinedFields {
  readonly client: string | undefined;
  /** Name of the token of a write. */
  token?: string;
  readonly method: string | undefined;
  /** Without its query, as in the JSON lines. */
  readonly path: string;
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
}

/** Formats a line of an access log in Apache's combined format. */
export function combinedLine(request: IncomingMessage, fields: CombinedFields, now = new Date()): string {
  const { client, token, method, path, status, bytes } = fields;
  const { referer, 'user-agent': agent } = request.headers;
  // The token's name stands for the user; a space would end it.
  const user = token === undefined ? '-' : escaped(token).replaceAll(' ', '_');
  const line = `${method} ${escaped(path)} HTTP/${request.httpVersion}`;
  const from = escaped(client).replaceAll(' ', '_');
  return `${from} - ${user} [${timeOf(now)}] "${line}" ${status} ${bytes} "${escaped(referer)}" "${escaped(agent)}"\n`;
}

/** Escapes as Apache and nginx do: no client can end a field or a line. */
function escaped(text = '-'): string {
  return text.replace(
    /["\\\u0000-\u001f\u007f-\u{10ffff}]/gu,
    // Node reads headers as Latin-1: a character is a byte.
    (found) =>
      [...Buffer.from(found, found > '\u00ff' ? 'utf8' : 'latin1')]
        .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
        .join(''),
  );
}

/** Time in Apache's format, from `Thu, 05 Nov 2026 06:07:08 GMT`. */
function timeOf(now: Date): string {
  const [, day, month, year, time] = now.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
