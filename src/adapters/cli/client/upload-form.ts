import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Max. time without a byte in either direction, and until an answer begins: unpacking a large archive takes a server a while. */
const MAX_IDLE_MS = 10 * 60_000;

interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

interface FormFile {
  /** Letters, digits, `.`, `_`, `-` and `+` only, so that nothing needs escaping. */
  readonly name: string;
  readonly size: number;
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Returns a streamed form with text fields and one file part named `file`. The Content-Length is known, so that the server
 * can refuse a large upload by its header, and proxies need not buffer it.
 */
export function formWith(
  file: FormFile,
  fields: Readonly<Record<string, string>>,
  onSent: (bytes: number) => void = () => {},
): Form {
  const boundary = `lectern-${randomUUID()}`;
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${file.name}"\r\nContent-Type: application/zip\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': String(head.length + file.size + tail.length),
    },
    body: (async function* () {
      let sent = 0;
      yield head;
      for await (const piece of file.read()) {
        yield piece;
        sent += piece.length;
        onSent(sent);
      }
      yield tail;
    })(),
  };
}

interface FormRequest extends Form {
  readonly url: string;
  /** Makes a signal that is aborted after this time. */
  readonly deadline: (ms: number) => AbortSignal;
}

/**
 * Streams a form and stops as soon as a response arrives, whose body is still to be read. Not with `fetch`, whose
 * memory grows with the bytes sent.
 * @throws Node's errors, with a `code`; errors of reading the body, unchanged
 */
export async function sendForm({ url, headers, body, deadline }: FormRequest): Promise<Response> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  // A new connection: the server may close a reused one during the request, whose outcome is then unknown.
  const request = open(url, { method: 'POST', headers, agent: false });
  const giveUp = () => request.destroy(Object.assign(new Error('no response'), { code: 'ETIMEDOUT' }));
  request.setTimeout(MAX_IDLE_MS, giveUp);
  const end = () => request.on('error', () => {}).destroy();
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  try {
    await Promise.race([answered, pipeline(body, request)]);
    const late = deadline(MAX_IDLE_MS);
    late.addEventListener('abort', giveUp);
    const [answer] = await answered.finally(() => late.removeEventListener('abort', giveUp));
    answer.once('close', end);
    return responseOf(answer);
  } catch (error) {
    end();
    throw error;
  }
}

function responseOf(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, [value].flat().join(', '));
  const status = answer.statusCode ?? 0;
  const body = Readable.toWeb(answer) as ReadableStream<Uint8Array>;
  return new Response(body, { status, statusText: answer.statusMessage ?? '', headers });
}
