import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
  readonly body?: string;
}

/** Asks a server under the name of a host: `fetch` would use the address. */
export async function ask(
  { url }: { readonly url: string },
  host: string,
  path: string,
  { headers, body, ...rest }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request({ port, path, headers: { Host: host, ...headers }, ...rest }, async (response) => {
      const text = (await buffer(response)).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
    });
    sent.on('error', reject).end(body);
  });
}
