import { type Agent, type IncomingHttpHeaders, request } from 'node:http';

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

/** Asks a server under the name of a host: `fetch` would use the address. A server in this process brings its own agent. */
export async function ask(
  { url, agent }: { readonly url: string; readonly agent?: Agent | undefined },
  host: string,
  path: string,
  { headers, body, ...rest }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const by = agent === undefined ? {} : { agent };
    const sent = request(
      { port, path, headers: { Host: host, ...headers }, ...by, ...rest },
      async (response) => {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      },
    );
    sent.on('error', reject).end(body);
  });
}
