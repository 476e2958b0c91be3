import type { IncomingMessage } from 'node:http';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What a line in Apache's combined format says of a request beside its headers. */
export interface CombinedFields {
  readonly client: string | undefined;
  /** The name of the token that a write was made with. */
  readonly token?: string | undefined;
  readonly method: string | undefined;
  /** Without its query, like in the JSON lines. */
  readonly path: string;
  readonly status: number;
  /** Bytes that went out, headers included. */
  readonly bytes: number;
}

/** One line of an access log in Apache's combined format, which most tools for such logs read. */
export function combinedLine(request: IncomingMessage, fields: CombinedFields, now = new Date()): string {
  const { client, token, method, path, status, bytes } = fields;
  const { referer, 'user-agent': agent } = request.headers;
  // The name of a token stands for the user; a blank would end it.
  const user = token === undefined ? '-' : escaped(token).replaceAll(' ', '_');
  const line = `${method} ${escaped(path)} HTTP/${request.httpVersion}`;
  const from = escaped(client).replaceAll(' ', '_');
  return `${from} - ${user} [${timeOf(now)}] "${line}" ${status} ${bytes} "${escaped(referer)}" "${escaped(agent)}"\n`;
}

/** As Apache and nginx do: nothing that a client sends can end a field or a line. */
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

function timeOf(now: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${two(now.getUTCDate())}/${MONTHS[now.getUTCMonth()]}/${now.getUTCFullYear()}`;
  return `${day}:${two(now.getUTCHours())}:${two(now.getUTCMinutes())}:${two(now.getUTCSeconds())} +0000`;
}
