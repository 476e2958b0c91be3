import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { Head, KEEP_ALIVE_MS, type Reply, sendReply } from '../../src/adapters/http/reply.js';

const fields = ['ETag', '"a-1"', 'Vary', 'Accept-Encoding'];
const body = Buffer.from('<p>page</p>');
const WHOLE: Reply = { status: 200, head: new Head([...fields, 'Content-Length', `${body.length}`]), body };
const UNCHANGED: Reply = { status: 304, head: new Head(fields) };

/** Addresses of answers whose heads Node has written. */
const writtenByNode: string[] = [];

/** Addresses of requests whose empty bodies Node has let flow to their ends. */
const read: string[] = [];

/** Answers every request in the way that its path names. */
function listener(request: IncomingMessage, response: ServerResponse): void {
  const reply = request.url?.includes('unchanged') ? UNCHANGED : WHOLE;
  // As in a Node that keeps its head elsewhere.
  if (request.url?.includes('by-node')) Object.assign(response, { _header: undefined });
  if (request.url?.includes('closing')) response.setHeader('Connection', 'close');
  if (request.url?.includes('marked')) response.setHeader('X-Mark', 'set by somebody before');
  const writeHead = response.writeHead.bind(response) as (status: number, head: string[]) => ServerResponse;
  response.writeHead = (status: number, head: unknown) => {
    writtenByNode.push(String(request.url));
    return writeHead(status, head as string[]);
  };
  // As in a Node that notes it elsewhere.
  if (request.url?.includes('no-note')) Object.assign(request, { _dumped: undefined });
  request.on('end', () => read.push(String(request.url)));
  sendReply(request, response, reply, 'an-id');
  assert.ok(response.headersSent);
}

describe('The head of an answer that is at hand', () => {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  let port = 0;
  before(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());

  /** Everything that comes until the connection ends, with the time left out. */
  async function answersTo(requests: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.write(requests.replaceAll('\n', '\r\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks)
      .toString('latin1')
      .replace(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/gm, 'Date: now\r');
  }
  const last = 'GET /by-node HTTP/1.1\nHost: x\nConnection: close\n\n';

  for (const [what, request] of [
    ['a page', 'GET /? HTTP/1.1\nHost: x\n\n'],
    ['a page that is asked to keep the connection', 'GET /? HTTP/1.1\nHost: x\nConnection: keep-alive\n\n'],
    ['an unchanged page', 'GET /?unchanged HTTP/1.1\nHost: x\n\n'],
    ['a HEAD', 'HEAD /? HTTP/1.1\nHost: x\n\n'],
    ['two requests at once', 'GET /? HTTP/1.1\nHost: x\n\nHEAD /?unchanged HTTP/1.1\nHost: x\n\n'],
    ['the last request of a client', 'GET /? HTTP/1.1\nHost: x\nConnection: close\n\n'],
    ['a client of HTTP/1.0', 'GET /? HTTP/1.0\nConnection: keep-alive\n\n'],
    ['a server that is closing', 'GET /?closing HTTP/1.1\nHost: x\n\n'],
    ['an answer that has a header already', 'GET /?marked HTTP/1.1\nHost: x\n\n'],
  ] as const) {
    it(`is what Node would have written, to the byte, for ${what}`, async () => {
      const ready = await answersTo(request + last);
      const byNode = await answersTo(request.replaceAll('/?', '/?by-node') + last);
      assert.equal(ready, byNode);
      assert.match(ready, /^HTTP\/1\.1 (?:200 OK|304 Not Modified)\r\n(?:.+\r\n)*X-Request-Id: an-id\r\n/);
    });
  }

  it('is written by Node where the connection is no ordinary one, and only there', async () => {
    writtenByNode.length = 0;
    await answersTo('GET /marked HTTP/1.1\nHost: x\n\nGET /closing HTTP/1.1\nHost: x\n\n');
    await answersTo(`GET /b?unchanged HTTP/1.1\nHost: x\n\n${last}`);
    await answersTo('GET /old HTTP/1.0\nConnection: keep-alive\n\nGET /old HTTP/1.0\n\n');
    assert.deepEqual(writtenByNode, ['/marked', '/closing', '/by-node', '/old', '/old']);
  });

  it('goes out without a look at the empty body of its request, which Node would let flow to its end', async () => {
    const requests = ['/', '/?unchanged', '/no-note', '/marked'];
    const inTurn = requests.map((path) => `GET ${path} HTTP/1.1\nHost: x\n\n`).join('');
    read.length = 0;
    const answers = await answersTo(inTurn + inTurn + last);
    assert.equal(answers.match(/HTTP\/1\.1 (?:200|304) /g)?.length, 9);
    assert.deepEqual(read, ['/no-note', '/no-note']);
  });

  it('tells the time of its answer, also in the next second', async () => {
    const dates = new Set<number>();
    const end = Date.now() + 10_000;
    while (dates.size < 2 && Date.now() < end) {
      const date = Date.parse((await fetch(`http://127.0.0.1:${port}/`)).headers.get('date') ?? '');
      const off = Date.now() - date;
      assert.ok(off >= 0 && off < 2_000, `${off} ms`);
      dates.add(date);
    }
    assert.equal(dates.size, 2);
  });
});
