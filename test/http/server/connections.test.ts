import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { type ConnectionBounds, connectionBounds } from '../../../src/adapters/http/server/connections.js';
import { LecternServer, type Patience } from '../../../src/adapters/http/server/lectern-server.js';
import { until } from '../../support/until.js';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const MIB = 1024 * 1024;
/** More than a kernel keeps for a connection whose client does not read. */
const LARGE = Buffer.alloc(32 * MIB);

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

describe('A server with greedy clients', () => {
  const opened: Socket[] = [];
  let server: LecternServer | undefined;
  let port = 0;

  async function start(
    handle: Handle,
    { patience, ...bounds }: Partial<ConnectionBounds> & { patience?: Patience } = {},
  ): Promise<void> {
    server = new LecternServer(handle, patience, { ...connectionBounds(), ...bounds });
    port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  }

  afterEach(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await server?.close(0);
  });

  function open(localAddress = '127.0.0.1'): Socket {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    opened.push(socket);
    return socket;
  }

  /** Returns the text received until the server ends the connection. */
  async function allOf(socket: Socket): Promise<string> {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    await closed(socket);
    return text;
  }

  /** A connection that the server has ended may be reset: that is not an error. */
  const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));
  const countOf = (text: string) => text.split('HTTP/1.1 200').length - 1;

  async function isAnswered(socket: Socket): Promise<boolean> {
    socket.write(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    return countOf(await allOf(socket)) === 1;
  }

  it('answers eight pipelined requests on one connection one after the other', async () => {
    let atWork = 0;
    let maxAtWork = 0;
    let number = 0;
    await start((_request, response) => {
      atWork += 1;
      maxAtWork = Math.max(maxAtWork, atWork);
      const text = String(number++);
      setImmediate(() => {
        atWork -= 1;
        if (text === '7') response.setHeader('Connection', 'close');
        response.end(text);
      });
    });
    const socket = open();
    socket.write(GET.repeat(8));
    const text = await allOf(socket);
    assert.deepEqual(
      [...text.matchAll(/\r\n\r\n(\d)/g)].map(([, body]) => body),
      ['0', '1', '2', '3', '4', '5', '6', '7'],
    );
    assert.equal(maxAtWork, 1);
  });

  for (const count of [9, 1_000]) {
    it(`ends a connection with ${count} pipelined requests, and begins only the first one`, async () => {
      let started = 0;
      await start((_request, response) => {
        started += 1;
        response.end(LARGE);
      });
      const socket = open();
      socket.pause();
      socket.write(GET.repeat(count));
      await once(socket, 'connect');
      socket.resume();
      await closed(socket);
      assert.equal(started, 1);
      assert.equal(await isAnswered(open()), true);
    });
  }

  it('answers thousands of sequential requests on one connection', async () => {
    await start((_request, response) => response.end('x'));
    const socket = open();
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += countOf(String(chunk));
      if (answers < 2_000) socket.write(GET);
      else socket.destroy();
    });
    socket.write(GET);
    await closed(socket);
    assert.equal(answers, 2_000);
  });

  it('holds one waiting response for a client that reads nothing, however many it requested', async () => {
    const responses: ServerResponse[] = [];
    await start((_request, response) => {
      responses.push(response);
      response.end(LARGE);
    });
    const socket = open();
    socket.pause();
    socket.write(GET.repeat(8));
    await until(() => responses.length > 0);
    // Whatever the requests behind it do, they do before the answer to a later one on another connection.
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200);
    const [first] = responses;
    assert.deepEqual(
      responses.map(({ req }) => req.socket === first?.req.socket),
      [true, false],
    );
    assert.ok((first?.req.socket.writableLength ?? 0) <= LARGE.length + 1_000);
  });

  it('ends an unread response after the idle time, also with a request behind it', async () => {
    let isEnded = false;
    await start(
      (_request, response) => {
        response.req.socket.once('close', () => {
          isEnded = true;
        });
        // Never answered where it is handled at all: the server would be at work on it.
        if (response.socket !== null) response.end(LARGE);
      },
      { patience: { headersMs: 5_000, idleMs: 300 } },
    );
    const socket = open();
    socket.pause();
    socket.write(GET.repeat(2));
    await until(() => isEnded);
  });

  it('ends a connection with an endless body after half a minute', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let answered = false;
    await start((_request, response) => {
      response.once('close', () =>
        setImmediate(() => {
          answered = true;
        }),
      );
      response.end('x');
    });
    const socket = open();
    socket.resume();
    let isClosed = false;
    const end = closed(socket).then(() => {
      isClosed = true;
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nx');
    // Without a byte in five seconds it would be idle.
    const dripping = setInterval(() => socket.write('x'), 500);
    while (!answered) await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(29_999);
    assert.equal(isClosed, false);
    t.mock.timers.tick(1);
    await end;
    clearInterval(dripping);
  });

  it('keeps nothing of bodies that follow their responses on one connection', async () => {
    const listeners: number[] = [];
    await start((request, response) => {
      listeners.push(request.socket.listenerCount('close'));
      response.end('ok');
    });
    const socket = open().setNoDelay();
    for (let count = 1; count <= 50; count += 1) {
      const answered = once(socket, 'data');
      socket.write(GET.replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\n'));
      await answered;
      socket.write('x');
    }
    assert.equal(listeners.length, 50);
    assert.equal(listeners.at(-1), listeners[0]);
  });

  it('bounds the unread bytes of all connections: ends the largest, and no small responses', async () => {
    const sockets = new Set<Socket>();
    await start(
      ({ url, socket }, response) => {
        if (url === '/small') return response.end('x');
        sockets.add(socket);
        // The answer comes late, as for a page that has to be made first: no request comes after it.
        setImmediate(() => response.end(LARGE));
      },
      { maxUnreadBytes: 100 * MIB },
    );
    for (let client = 0; client < 8; client++) {
      const socket = open();
      socket.pause();
      socket.write(GET);
    }
    await until(() => sockets.size === 8);
    const left = () => [...sockets].filter(({ destroyed }) => !destroyed);
    const unread = () => left().reduce((sum, { writableLength }) => sum + writableLength, 0);
    // The last answers may begin after the first connection has ended.
    await until(() => left().length < 8 && unread() <= 100 * MIB);
    assert.ok(left().length >= 2, `${left().length} connections are left`);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/small`)).text(), 'x');
  });

  it('bounds the connections of each address, so that no address takes all', async () => {
    await start((_request, response) => response.end('x'), { ...connectionBounds(6) });
    const kept = [open(), open(), open()];
    await Promise.all(kept.map((socket) => once(socket, 'connect')));
    assert.equal(await isAnswered(open()), false);
    assert.equal(await isAnswered(open('127.0.0.2')), true);
    kept.pop()?.destroy();
    await until(() => isAnswered(open()));
  });

  it('bounds only the total of connections behind a trusted proxy', async () => {
    await start((_request, response) => response.end('x'), { ...connectionBounds(4, true) });
    const kept = [open(), open(), open(), open()];
    await Promise.all(kept.map((socket) => once(socket, 'connect')));
    assert.equal(await isAnswered(open('127.0.0.2')), false);
    kept.pop()?.destroy();
    await until(() => isAnswered(open()));
  });
});
