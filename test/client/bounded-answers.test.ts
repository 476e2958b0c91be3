import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { createGzip } from 'node:zlib';
import { ClientError, LecternClient } from '../../src/adapters/cli/client/index.js';
import { parseDirectoryName } from '../../src/domain/index.js';
import { type Answer, fakeServer, listing, lost } from './fake-server.js';
import { lectern } from './lectern.js';

const MIB = 1024 ** 2;
const id = parseDirectoryName('a-1.0') ?? assert.fail();
const archive = {
  size: 1,
  async *read() {
    yield Buffer.from('x');
  },
  sha256: async () => '',
};

/** Calls of the client that read lists, keyed by the path of their request. */
const LISTS: Readonly<Record<string, (client: LecternClient) => Promise<unknown>>> = {
  '/api/projects': (client) => client.projects(),
  '/api/projects/a': (client) => client.project('a'),
  '/api/search?q=x': (client) => client.search({ q: 'x' }),
  '/api/removed': (client) => client.removed(),
  '/api/projects/a/usage?days=30&format=csv': (client) => client.usageCsv('a', '30'),
};
const OTHERS: Readonly<Record<string, (client: LecternClient) => Promise<unknown>>> = {
  '/api/version': (client) => client.version(),
  '/api/token': (client) => client.token(),
  '/api/delete/a/1.0': (client) => client.delete('a', '1.0'),
  '/api/upload': (client) => client.push(id, archive),
};

/** Sends a MiB of white space again and again, until the client has left. */
function endless(status: number): Answer & { readonly sent: () => number } {
  const piece = Buffer.alloc(MIB, ' ');
  let bytes = 0;
  async function* pieces() {
    for (;;) {
      bytes += piece.length;
      yield piece;
    }
  }
  const answer = (_request: unknown, response: ServerResponse) => {
    response.on('error', () => {}).writeHead(status, { 'Content-Type': 'application/json' });
    const source = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
    source.pipe(response).once('close', () => source.destroy());
  };
  return Object.assign(answer, { sent: () => bytes });
}

async function asking(context: TestContext, ...answers: readonly Answer[]) {
  const server = await fakeServer(answers);
  context.after(() => server.close());
  const wait = () => assert.fail('tried again');
  return { server, client: new LecternClient({ url: server.url, token: 'secret', wait }) };
}

/** An error with which a command ends with exit code 3, and that a retry cannot help. */
function unreachable(message: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ClientError, String(error));
    assert.equal(error.message, message);
    assert.equal(error.problem, 'unreachable');
    return true;
  };
}

describe('An endless response', { timeout: 120_000 }, () => {
  for (const [calls, max] of [
    [LISTS, 64],
    [OTHERS, 1],
  ] as const) {
    for (const [path, call] of Object.entries(calls)) {
      it(`is aborted after ${max} MiB from ${path}`, async (context) => {
        const answer = endless(200);
        const { client, server } = await asking(context, answer);
        await assert.rejects(
          call(client),
          unreachable(`The response from ${server.url}${path} is larger than ${max} MiB`),
        );
        assert.equal(server.requests.length, 1);
        // The buffers of both ends of the connection count as sent, too.
        assert.ok(answer.sent() < (max + 32) * MIB, `${answer.sent() / MIB} MiB sent`);
      });
    }
  }

  it('is aborted after 1 MiB when it is a refusal', async (context) => {
    for (const status of [404, 500, 503]) {
      for (const path of ['/api/version', '/api/upload']) {
        const { client, server } = await asking(context, endless(status));
        const message = `The response from ${server.url}${path} is larger than 1 MiB`;
        await assert.rejects(OTHERS[path]?.(client) ?? assert.fail(), unreachable(message));
        assert.equal(server.requests.length, 1);
      }
    }
  });

  it('ends a command with exit code 3 and one line', async (context) => {
    const { server } = await asking(context, endless(200));
    const env = { LECTERN_URL: server.url, LECTERN_TOKEN: 'secret' };
    const { code, out, notes } = await lectern(['projects'], { env });
    assert.equal(code, 3, notes);
    assert.equal(out, '');
    assert.equal(notes, `lectern: The response from ${server.url}/api/projects is larger than 64 MiB\n`);
  });
});

describe('A response that unpacks beyond its limit', { timeout: 120_000 }, () => {
  it('is aborted at its limit', async (context) => {
    let unpacked = 0;
    const bomb: Answer = (_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).on('error', () => {});
      const spaces = Readable.from(
        (function* () {
          for (; unpacked < 4096 * MIB; unpacked += MIB) yield Buffer.alloc(MIB, ' ');
        })(),
        { objectMode: false, highWaterMark: 1 },
      );
      spaces.pipe(createGzip()).pipe(response);
      response.once('close', () => spaces.destroy());
    };
    const { client, server } = await asking(context, bomb);
    const message = `The response from ${server.url}/api/version is larger than 1 MiB`;
    await assert.rejects(client.version(), unreachable(message));
    assert.equal(server.requests.length, 1);
  });
});

describe('A response of exactly the limit', () => {
  const padded = (bytes: number): Answer => {
    const text = JSON.stringify({ product: 'lectern', version: '1.0' });
    return (_request, response) => response.end(text.padEnd(bytes));
  };

  it('is accepted', async (context) => {
    const { client } = await asking(context, padded(MIB));
    assert.equal((await client.version()).version, '1.0');
  });

  it('is refused with one byte more', async (context) => {
    const { client, server } = await asking(context, padded(MIB + 1));
    const message = `The response from ${server.url}/api/version is larger than 1 MiB`;
    await assert.rejects(client.version(), unreachable(message));
  });

  it('has a higher limit when it is a list', async (context) => {
    const list: Answer = (_request, response) => response.end('{"projects":[],"count":0}'.padEnd(3 * MIB));
    const { client } = await asking(context, list);
    assert.equal((await client.projects()).count, 0);
  });
});

describe('A response that trickles in', { timeout: 60_000 }, () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';

  /** Answers each request with `head`, then with `byte` at each turn of the loop. */
  async function dripping(context: TestContext, head: string, byte: string) {
    const sockets = new Set<Socket>();
    const began = new EventEmitter();
    const hasBegun = once(began, 'begun');
    let requests = 0;
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.once('data', () => {
        requests += 1;
        socket.write(head);
        let sent = 0;
        const drip = () => {
          if (socket.destroyed) return;
          sent += 1;
          if (sent === 20) began.emit('begun');
          socket.write(byte, () => setImmediate(drip));
        };
        drip();
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    // The time is over once some bytes have come.
    const deadline = () => {
      const over = new AbortController();
      void hasBegun.then(() => over.abort());
      return over.signal;
    };
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const waits: number[] = [];
    const wait = async (ms: number) => waits.push(ms);
    return {
      client: new LecternClient({ url, token: 'secret', deadline, wait }),
      url,
      requests: () => requests,
    };
  }

  for (const [path, call] of Object.entries({ ...LISTS, ...OTHERS })) {
    it(`is given five minutes from ${path}`, async (context) => {
      const { client, url, requests } = await dripping(context, HEAD, '1\r\n \r\n');
      const message = `The response from ${url}${path} was incomplete after 5 minutes`;
      await assert.rejects(call(client), unreachable(message));
      assert.equal(requests(), 1);
    });
  }

  it('is given five minutes when even its headers never end', async (context) => {
    const { client, url } = await dripping(context, 'HTTP/1.1 200 OK\r\nX-Long: ', 'x');
    const message = `The response from ${url}/api/projects was incomplete after 5 minutes`;
    await assert.rejects(client.projects(), unreachable(message));
  });

  it('counts as lost when the headers after an upload never end', async (context) => {
    const { client, url } = await dripping(context, 'HTTP/1.1 200 OK\r\nX-Long: ', 'x');
    const message = `The response from ${url}/api/projects?search=a was incomplete after 5 minutes`;
    await assert.rejects(client.push(id, archive), unreachable(message));
  });
});

describe('An upload with a response beyond its limit', () => {
  it('is not sent a second time', async (context) => {
    const { client, server } = await asking(context, endless(201), lost, listing('1.0'));
    await assert.rejects(client.push(id, archive), /larger than 1 MiB/);
    assert.deepEqual(server.requests, ['POST /api/upload']);
  });
});
