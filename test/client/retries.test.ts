import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as ask, createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { ClientError, LecternClient } from '../../src/adapters/cli/client/index.js';
import { parseDirectoryName } from '../../src/domain/index.js';
import { TestServer } from '../support/server.js';
import {
  type Answer,
  badGateway,
  brokenOff,
  type FakeServer,
  fakeServer,
  json,
  listing,
  lost,
  published,
  refusal,
} from './fake-server.js';

const id = parseDirectoryName('a-1.0') ?? assert.fail();
const bytes = Buffer.from('an archive');
const archive = {
  size: bytes.length,
  async *read() {
    yield bytes;
  },
  sha256: async () => createHash('sha256').update(bytes).digest('hex'),
};
const has = (hash: string): Answer => json(200, {}, { ETag: `"${hash}"` });
const UPLOAD = 'POST /api/upload';
const LIST = 'GET /api/projects?search=a';
const HEAD = 'HEAD /api/download/a/1.0';

interface Subject {
  readonly server: FakeServer;
  readonly client: LecternClient;
  /** Milliseconds of every wait; none of them passes. */
  readonly waits: number[];
  /** Messages for the user. */
  readonly said: string[];
}

async function clientOf(context: TestContext, ...answers: readonly Answer[]): Promise<Subject> {
  return clientWith({}, context, ...answers);
}

async function clientWith(
  { random = () => 0.5 }: { readonly random?: () => number },
  context: TestContext,
  ...answers: readonly Answer[]
): Promise<Subject> {
  const server = await fakeServer(answers);
  context.after(() => server.close());
  const waits: number[] = [];
  const said: string[] = [];
  const wait = async (ms: number) => waits.push(ms);
  const now = () => sumOf(waits);
  const report = (sentence: string) => said.push(sentence);
  const client = new LecternClient({ url: server.url, token: 'secret', wait, now, random, report });
  return { server, waits, said, client };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

function failing(problem: ClientError['problem'], code?: string) {
  return (error: unknown) =>
    error instanceof ClientError && error.problem === problem && (code === undefined || error.code === code);
}

describe('A push', () => {
  it('is sent again when nothing listens yet', async (context) => {
    const { server: first } = await clientOf(context, published);
    first.close();
    let server: FakeServer | undefined;
    const wait = async () => {
      server = await fakeServer([published], first.port);
    };
    const client = new LecternClient({ url: first.url, token: 'secret', wait });
    const { url } = await client.push(id, archive);
    assert.equal(url, `${first.url}/a-1.0/`);
    assert.deepEqual(server?.requests, [UPLOAD]);
    server?.close();
  });

  it('ends at once on a refused connection in a terminal, unless the server has responded before', async (context) => {
    const { server: first, said, waits } = await clientOf(context, listing());
    const wait = async (ms: number) => waits.push(ms);
    const report = (sentence: string) => said.push(sentence);
    const options = { url: first.url, token: 'secret', endsWhenRefused: true, wait, report };
    const client = new LecternClient(options);
    await client.projects();
    first.close();
    await assert.rejects(client.push(id, archive), /connection refused/);
    assert.equal(waits.length, 4);
    const hasNoAnswer = new LecternClient(options);
    await assert.rejects(hasNoAnswer.push(id, archive), (error) => {
      assert.ok(failing('unreachable')(error));
      assert.match((error as Error).message, /^Cannot reach http:\S+: connection refused$/);
      return true;
    });
    assert.equal(waits.length, 4);
    assert.equal(said.length, 4);
  });

  it('waits as long as a busy server requests, and is sent again', async (context) => {
    const { client, server, waits } = await clientOf(
      context,
      refusal(503, 'unavailable', { 'Retry-After': '7' }),
      published,
    );
    await client.push(id, archive);
    assert.deepEqual(server.requests, [UPLOAD, UPLOAD]);
    assert.deepEqual(waits, [7_000]);
  });

  it('waits ten minutes for a busy server, longer each time, and reports it once', async (context) => {
    const busy = refusal(503, 'unavailable', { 'Retry-After': '5' });
    const { client, server, waits, said } = await clientOf(context, busy);
    await assert.rejects(client.push(id, archive), failing('unreachable'));
    assert.deepEqual(waits.slice(0, 6), [5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    assert.equal(sumOf(waits), 600_000);
    assert.deepEqual(new Set(server.requests), new Set([UPLOAD]));
    assert.deepEqual(said, ['the server says unavailable; retrying for up to 10 minutes']);
  });

  it('succeeds when a server was busy more than five times', async (context) => {
    const busy = refusal(503, 'unavailable', { 'Retry-After': '5' });
    const { client, server } = await clientOf(context, ...Array<Answer>(9).fill(busy), published);
    assert.equal((await client.push(id, archive)).url, `${server.url}/a-1.0/`);
    assert.equal(server.requests.length, 10);
  });

  it('is repeated at another moment than all other pushes refused by a busy server', async (context) => {
    const busy = refusal(503, 'unavailable', { 'Retry-After': '10' });
    for (const [number, delay] of [
      [0, 5_000],
      [1, 15_000],
    ] as const) {
      const { client, waits } = await clientWith({ random: () => number }, context, busy, published);
      await client.push(id, archive);
      assert.deepEqual(waits, [delay]);
    }
    const { client, waits } = await clientWith({ random: Math.random }, context, busy, published);
    await client.push(id, archive);
    assert.notDeepEqual(waits, [10_000]);
  });

  it('keeps its pauses when a busy server asks for none', async (context) => {
    const { client, waits } = await clientOf(
      context,
      refusal(503, 'unavailable', { 'Retry-After': '0' }),
      published,
    );
    await client.push(id, archive);
    assert.deepEqual(waits, [1_000]);
  });

  it('waits for a busy server before it checks whether a lost upload arrived', async (context) => {
    const busy = refusal(503, 'unavailable', { 'Retry-After': '5' });
    const { client, server } = await clientOf(
      context,
      lost,
      ...Array<Answer>(6).fill(busy),
      listing('1.0'),
      ...Array<Answer>(6).fill(busy),
      has(await archive.sha256()),
    );
    assert.match((await client.push(id, archive)).message, /the server has it/);
    assert.deepEqual(server.requests, [UPLOAD, ...Array(7).fill(LIST), ...Array(7).fill(HEAD)]);
  });

  it('gives up at once when a busy server asks for more than ten minutes', async (context) => {
    const { client, server, waits } = await clientOf(
      context,
      refusal(503, 'unavailable', { 'Retry-After': '3600' }),
    );
    await assert.rejects(client.push(id, archive), failing('unreachable'));
    assert.deepEqual(server.requests, [UPLOAD]);
    assert.deepEqual(waits, []);
  });

  for (const [status, code] of [
    [400, 'invalid_archive'],
    [401, 'authentication_required'],
    [409, 'version_exists'],
    [413, 'upload_too_large'],
    [500, 'internal'],
    [507, 'insufficient_storage'],
  ] as const) {
    it(`is not sent again after ${status} ${code}`, async (context) => {
      const { client, server, waits } = await clientOf(context, refusal(status, code));
      await assert.rejects(client.push(id, archive), failing('refused', code));
      assert.deepEqual(server.requests, [UPLOAD]);
      assert.deepEqual(waits, []);
    });
  }

  it('is sent again after 502 when the list shows that it did not arrive', async (context) => {
    const { client, server, waits } = await clientOf(context, badGateway, listing(), published);
    await client.push(id, archive);
    assert.deepEqual(server.requests, [UPLOAD, LIST, UPLOAD]);
    assert.deepEqual(waits, [750]);
  });

  it('is not sent again when its response was lost and the server has the archive', async (context) => {
    const { client, server } = await clientOf(context, lost, listing('1.0'), has(await archive.sha256()));
    const { message, url } = await client.push(id, archive);
    assert.match(message, /the response to the upload was lost, but the server has it/);
    assert.equal(url, `${server.url}/a-1.0/`);
    assert.deepEqual(server.requests, [UPLOAD, LIST, HEAD]);
  });

  it('is sent again when the server has another archive under the name, and prints the refusal', async (context) => {
    const { client, server } = await clientOf(
      context,
      lost,
      listing('1.0'),
      has('0'.repeat(64)),
      refusal(409, 'version_exists'),
      listing('1.0'),
      has('0'.repeat(64)),
    );
    await assert.rejects(client.push(id, archive), failing('refused', 'version_exists'));
    assert.deepEqual(server.requests, [UPLOAD, LIST, HEAD, UPLOAD, LIST, HEAD]);
  });

  it('succeeds when the first of two attempts was still running, and made the second one too late', async (context) => {
    const { client, server } = await clientOf(
      context,
      badGateway,
      listing(),
      refusal(409, 'version_exists'),
      listing('1.0'),
      has(await archive.sha256()),
    );
    assert.match((await client.push(id, archive)).message, /the server has it/);
    assert.deepEqual(server.requests, [UPLOAD, LIST, UPLOAD, LIST, HEAD]);
  });

  it('is given up after five attempts, with growing pauses', async (context) => {
    const { client, waits } = await clientOf(context, badGateway);
    await assert.rejects(client.push(id, archive), failing('unreachable'));
    assert.ok(waits.length >= 4);
    assert.deepEqual(waits.slice(0, 4), [750, 750, 1_500, 3_000]);
  });

  it('follows no redirect, and prints its target', async (context) => {
    const { client, server } = await clientOf(context, (_request, response) =>
      response.writeHead(301, { Location: 'https://elsewhere.example/api/upload' }).end(),
    );
    await assert.rejects(client.push(id, archive), /redirects to https:\/\/elsewhere\.example\/api\/upload/);
    assert.deepEqual(server.requests, [UPLOAD]);
  });

  it("prints nothing of a proxy's page", async (context) => {
    const { client } = await clientOf(context, badGateway);
    await assert.rejects(client.push(id, archive), (error: Error) => {
      assert.match(error.message, /returned 502 Bad Gateway$/);
      return true;
    });
  });
});

describe('A deletion', () => {
  it('succeeds when its response was lost and nothing is left to delete', async (context) => {
    const { client, server } = await clientOf(context, lost, refusal(404, 'version_not_found'));
    assert.equal((await client.delete('a', '1.0')).message, 'Deleted a 1.0');
    assert.equal(server.requests.length, 2);
  });

  it('is refused for a version that never existed', async (context) => {
    const { client } = await clientOf(context, refusal(404, 'version_not_found'));
    await assert.rejects(client.delete('a', '1.0'), failing('refused', 'version_not_found'));
  });
});

describe('A read request', () => {
  it('is repeated after any network failure', async (context) => {
    const { client, server } = await clientOf(context, lost, badGateway, listing('1.0'));
    assert.equal((await client.projects()).projects.length, 1);
    assert.equal(server.requests.length, 3);
  });

  it('is repeated five times for an unreachable server, in less than 15 seconds, whatever the jitter', async (context) => {
    for (const number of [0, 1]) {
      const { client, server, waits } = await clientWith({ random: () => number }, context, listing());
      server.close();
      await assert.rejects(client.projects(), failing('unreachable'));
      const factor = number === 0 ? 0.5 : 1;
      assert.deepEqual(
        waits,
        [1_000, 2_000, 4_000, 8_000].map((ms) => ms * factor),
      );
    }
  });

  it('is not repeated for ten minutes on a busy server', async (context) => {
    const busy = refusal(503, 'unavailable', { 'Retry-After': '5' });
    const { client, server, waits } = await clientOf(context, busy);
    await assert.rejects(client.projects(), failing('unreachable'));
    assert.equal(server.requests.length, 5);
    assert.deepEqual(waits, [5_000, 5_000, 5_000, 5_000]);
  });

  it('is not repeated when the server is no documentation server', async (context) => {
    const { client, server } = await clientOf(context, (_request, response) =>
      response.writeHead(404).end('?'),
    );
    await assert.rejects(client.projects(), failing('unreachable'));
    assert.equal(server.requests.length, 1);
  });

  for (const [what, url, message] of [
    [
      'at a port that no web server may use',
      async () => 'http://127.0.0.1:1',
      /this port is blocked for HTTP/,
    ],
    ['of a missing host', async () => 'http://nowhere.invalid', /no such host|looked up/],
    ['over HTTPS where HTTP is spoken', httpsAddress, /not an HTTPS server/],
    ['of a server without HTTP', sshAddress, /not an HTTP server$/],
  ] as const) {
    it(`is not repeated ${what}`, async (context) => {
      const waits: number[] = [];
      const wait = async (ms: number) => waits.push(ms);
      const client = new LecternClient({ url: await url(context), token: 'secret', wait });
      await assert.rejects(client.projects(), (error: Error) => {
        assert.match(error.message, message);
        return failing('unreachable')(error);
      });
      // Without a name server, the client retries, since the name may be found later.
      if (!what.startsWith('of a host')) assert.deepEqual(waits, []);
    });
  }
});

async function httpsAddress(context: TestContext): Promise<string> {
  const { server } = await clientOf(context, listing());
  return server.url.replace('http:', 'https:');
}

async function sshAddress(context: TestContext): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.2\r\n'));
  context.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('A response that breaks off', () => {
  it('is requested again', async (context) => {
    const { client, server } = await clientOf(context, brokenOff, listing('1.0'));
    assert.equal((await client.projects('a')).count, 1);
    assert.deepEqual(server.requests, [LIST, LIST]);
    const csv: Answer = (_request, response) => response.end('day,reads');
    const table = await clientOf(context, brokenOff, csv);
    assert.equal(await table.client.usageCsv('a', '30'), 'day,reads');
  });

  it('counts as an unreachable server when it breaks off each time', async (context) => {
    const { client, server, waits } = await clientOf(context, brokenOff);
    await assert.rejects(client.version(), failing('unreachable'));
    await assert.rejects(client.usageCsv('a', '30'), failing('unreachable'));
    assert.equal(server.requests.length, 10);
    assert.deepEqual(waits.slice(0, 4), [750, 1_500, 3_000, 6_000]);
  });
});

describe('A restoration', () => {
  it('is not undone by the second attempt when its response was lost', async (context) => {
    const server = await TestServer.start({ keepRemovedMs: 7 * 24 * 3_600_000 });
    context.after(() => server.close());
    for (const text of ['first', 'second']) await server.upload('a-1.0-docs.zip', { 'index.html': text });
    const proxy = await losing(server.url, 'POST');
    context.after(proxy.close);
    const client = new LecternClient({ url: proxy.url, token: 'secret-owner', wait: async () => {} });
    const { message } = await client.restore({ project: 'a', label: '1.0' }, { replace: true });
    assert.equal(message, 'Restored a 1.0');
    assert.equal(await (await server.get('/a-1.0/')).text(), 'first');
    assert.equal(proxy.lost(), 1);
  });
});

describe('A restoration of a preview', () => {
  const removed = json(200, {
    removed: [
      {
        project: 'a',
        version: '~pr-1',
        directory: 'a~pr-1',
        revision: 'r1',
        reason: 'expired',
        published_at: '2025-12-31T00:00:00.000Z',
        removed_at: '2026-01-01T00:00:00.000Z',
        expires_at: '2026-01-02T00:00:00.000Z',
      },
    ],
    count: 1,
  });
  const previews = (...names: readonly string[]) =>
    json(200, {
      previews: names.map((name) => ({
        project: 'a',
        name,
        directory_name: `a~${name}`,
        url: `/a~${name}/`,
        download_url: `/a~${name}-docs.zip`,
        published_at: '2026-01-01T00:00:00.000Z',
      })),
      count: names.length,
    });
  const gone = refusal(404, 'version_not_found');

  it('succeeds when its response was lost and the preview exists', async (context) => {
    const { client, server } = await clientOf(context, removed, lost, gone, previews('pr-1'));
    const { message, url } = await client.restore({ project: 'a', label: '~pr-1' });
    assert.equal(message, 'Restored a ~pr-1');
    assert.equal(url, `${server.url}/a~pr-1/`);
    assert.equal(server.requests.at(-1), 'GET /api/previews/a');
  });

  it('is refused when its response was lost and the preview is missing', async (context) => {
    for (const answer of [previews('pr-2'), refusal(404, 'project_not_found')]) {
      const { client } = await clientOf(context, removed, lost, gone, answer);
      await assert.rejects(
        client.restore({ project: 'a', label: '~pr-1' }),
        failing('refused', 'version_not_found'),
      );
    }
  });
});

/** A reverse proxy that cuts the connection in place of the first answer to a method. */
async function losing(target: string, method: string) {
  let lost = 0;
  const proxy = createHttpServer((request, response) => {
    const { hostname, port } = new URL(target);
    const { url: path, headers } = request;
    const passed = ask({ hostname, port, path, method: request.method, headers }, (answer) => {
      if (request.method === method && lost === 0) {
        lost += 1;
        answer.resume().on('end', () => response.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    lost: () => lost,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}
