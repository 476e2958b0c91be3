import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

/** Max. time without a byte in either direction: unpacking a large archive takes a server a while. */
const MAX_IDLE_MS = 10 * 60_000;

/**
 * Streams a request body and stops as soon as a response arrives. Not with `fetch`, whose memory grows with the
 * bytes sent.
 * @throws Node's errors, with a `code`; errors of reading the body, unchanged
 */
export async function sendForm(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: AsyncIterable<Uint8Array>,
): Promise<Response> {
  const open = url.startsWith('https:') ? httpsRequest : httpRequest;
  // A new connection: the server may close a reused one during the request, whose outcome is then unknown.
  const request = open(url, { method: 'POST', headers, agent: false });
  request.setTimeout(MAX_IDLE_MS, () => {
    request.destroy(Object.assign(new Error('no answer came'), { code: 'ETIMEDOUT' }));
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  try {
    await Promise.race([answered, pipeline(body, request)]);
    const [answer] = await answered;
    return await responseOf(answer);
  } finally {
    request.on('error', () => {}).destroy();
  }
}

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) headers.set(name, [value].flat().join(', '));
  const status = answer.statusCode ?? 0;
  return new Response(await text(answer), { status, statusText: answer.statusMessage ?? '', headers });
}
