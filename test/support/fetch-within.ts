import assert from 'node:assert/strict';
import { Agent, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { HttpServer } from '../../src/adapters/http/index.js';

/** End of a connection within this process, with the properties of a socket that the server reads. */
class End extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  bytesWritten = 0;
  private other: End | undefined;
  private taken: (() => void) | undefined;

  /** @returns the ends of the client and of the server, which may answer after the client has ended */
  static pair(): readonly [client: End, server: End] {
    const client = new End({ allowHalfOpen: false });
    const server = new End({ allowHalfOpen: true });
    client.other = server;
    server.other = client;
    return [client, server];
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.bytesWritten += chunk.length;
    if (this.other?.push(chunk)) done();
    else if (this.other !== undefined) this.other.taken = done;
  }

  override _read(): void {
    const { taken } = this;
    this.taken = undefined;
    taken?.();
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.writableFinished) this.other?.destroy();
    done(error);
  }

  /** The agent calls it. Nothing here keeps the process alive. */
  ref(): void {}

  /** Does what a socket does. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy();
    else this.end(() => this.destroy());
  }
}

/** Headers that `fetch` sends unless told otherwise. */
const DEFAULTS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};

const REDIRECTS = [301, 302, 303, 307, 308];
const WITHOUT_BODY = [204, 304];

/** Connects Node's HTTP client to a server in this process without a socket. */
export function agentWithin(server: HttpServer): Agent {
  const agent = new Agent({ keepAlive: true });
  agent.createConnection = () => {
    const [client, other] = End.pair();
    server.accept(other);
    if (other.destroyed) throw new Error('the server takes no more connections');
    return client;
  };
  // The default asks the operating system to, through a socket.
  agent.keepSocketAlive = () => true;
  return agent;
}

/**
 * Asks as `fetch` does, by an agent. The promise is fulfilled when all of the response is there, whose `url` is
 * empty.
 */
export async function fetchBy(agent: Agent, url: URL, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body, redirect, signal } = init;
  assert.ok(!(body instanceof ReadableStream), 'a body that comes in parts takes a socket: `fetch`');
  // Knows the bytes of a form, and the type of a body.
  const sent = body ? new Response(body) : undefined;
  const bytes = sent && Buffer.from(await sent.arrayBuffer());
  const length = bytes?.length ?? (method === 'POST' || method === 'PUT' ? 0 : undefined);
  const type = sent?.headers.get('content-type');
  const headers = {
    ...{ host: url.host, ...DEFAULTS },
    ...(type ? { 'content-type': type } : {}),
    ...(length === undefined ? {} : { 'content-length': length }),
    ...Object.fromEntries(new Headers(init.headers)),
  };
  const path = url.pathname + url.search;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const to = { protocol: url.protocol, hostname: url.hostname, port: url.port };
    const asked = request({ agent, ...to, method, path, headers, ...(signal ? { signal } : {}) });
    asked.on('response', resolve).on('error', reject).end(bytes);
  });
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = answer;
  const received = Buffer.concat(await answer.toArray());
  const { location, 'content-encoding': encoding } = answer.headers;
  if (redirect !== 'manual' && location !== undefined && REDIRECTS.includes(status)) {
    return fetchBy(agent, new URL(location, url), init);
  }
  const isEmpty = method === 'HEAD' || WITHOUT_BODY.includes(status);
  const content = encoding === 'gzip' && !isEmpty ? gunzipSync(received) : received;
  const all = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  return new Response(isEmpty ? null : content, { status, statusText, headers: all });
}
