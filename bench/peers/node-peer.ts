/**
 * The servers of the Node world that Lectern is measured against, each as its documentation sets it up:
 *
 *     node --import tsx bench/peers/node-peer.ts sirv|koa-static|koa <root>
 */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import serveStatic from 'koa-static';

type Sirv = (root: string, options: { etag: boolean; gzip: boolean }) => SirvHandler;
type SirvHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

const HELLO = 'hello';

const PEERS: Readonly<Record<string, (root: string) => RequestListener>> = {
  sirv: (root) => {
    const sirv = createRequire(import.meta.url)('sirv') as Sirv;
    const serve = sirv(root, { etag: true, gzip: true });
    return (request, response) =>
      serve(request, response, () => {
        response.statusCode = 404;
        response.end();
      });
  },
  'koa-static': (root) => new Koa().use(serveStatic(root)).callback(),
  koa: () =>
    new Koa()
      .use((ctx) => {
        ctx.body = HELLO;
      })
      .callback(),
};

const [kind = '', root = '.'] = process.argv.slice(2);
const peer = PEERS[kind];
if (peer === undefined) throw new Error(`no such peer: ${kind}`);
const server = createServer(peer(root)).listen(0, '127.0.0.1', () => {
  console.log(`${kind} listens at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
