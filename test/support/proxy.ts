import { once } from 'node:events';
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handling of the path prefix by a reverse proxy. */
export type Prefixing = 'strips the prefix' | 'passes the prefix on';

/** A reverse proxy of a few lines: it has one server below a prefix, and nothing beside it. */
export class PrefixProxy {
  private constructor(
    /** Address with the prefix, without a `/` at its end. */
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(target: string, prefix: string, prefixing: Prefixing): Promise<PrefixProxy> {
    const server = createServer((request, response) => {
      const { url = '', method = 'GET', headers } = request;
      if (!url.startsWith(`${prefix}/`)) {
        request.resume();
        response.writeHead(404, { 'Content-Type': 'text/plain' }).end('nothing outside of the prefix\n');
        return;
      }
      const path = prefixing === 'strips the prefix' ? url.slice(prefix.length) : url;
      const { hostname, port } = new URL(target);
      const passed = ask({ hostname, port, path, method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      request.pipe(passed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
    return new PrefixProxy(url, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
  }
}
