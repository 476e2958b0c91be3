import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { S3ObjectClient, type S3Options } from '../../src/adapters/object-store/client/s3-object-client.js';

/** Behaviour of a fake store for `If-None-Match: *`. */
export type Honesty =
  /** Does what S3 does. */
  | 'honest'
  /** Accepts the header, and overwrites the object. */
  | 'lying'
  /** Looks whether there is an object, and writes once another writer has looked as well, or a second later. */
  | 'racy'
  /** Answers 501. */
  | 'ignorant';

/** Answers a request itself, and returns true; or leaves it to the fake. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A store in this process that knows PUT, GET, ranges, DELETE and lists, for faults that no real one has on demand. */
export interface FakeS3 {
  /** URL of the store, without a bucket. */
  readonly endpoint: string;
  /** Content by key. */
  readonly objects: Map<string, Buffer>;
  /** Method and path of each request. */
  readonly requests: string[];
  /** Set it at any time. */
  intercept: Interception;
  readonly open: (options?: Partial<S3Options>) => Promise<S3ObjectClient>;
  readonly close: () => Promise<void>;
}

export const FAKE_CREDENTIALS = { accessKeyId: 'the-access-key', secretAccessKey: 'the-secret-key' };

export async function startFakeS3(honesty: Honesty = 'honest'): Promise<FakeS3> {
  const objects = new Map<string, Buffer>();
  const fake = { objects, requests: [] as string[], intercept: (() => false) as Interception };
  const timing = honesty === 'racy' ? lateWrites() : atOnce;
  const server = createServer(async (request, response) => {
    fake.requests.push(`${request.method} ${request.url}`);
    if (fake.intercept(request, response)) return;
    const body = await buffer(request).catch(() => undefined);
    if (body !== undefined) answer(objects, honesty, timing, request, body, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return Object.assign(fake, {
    endpoint,
    open: (options: Partial<S3Options> = {}) =>
      S3ObjectClient.open({
        bucket: 'bucket',
        prefix: '',
        endpoint,
        credentials: FAKE_CREDENTIALS,
        ...options,
      }),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** Runs the writes of a store, each at its time. */
type Timing = (key: string, write: () => void) => void;

const atOnce: Timing = (_, write) => write();

/** Has the first two writers of a key meet, so that both win, however slow the machine is. */
function lateWrites(): Timing {
  const firstWrites = new Map<string, () => void>();
  const writeFirst = (key: string) => {
    firstWrites.get(key)?.();
    firstWrites.delete(key);
  };
  return (key, write) => {
    if (firstWrites.has(key)) {
      writeFirst(key);
      write();
    } else {
      firstWrites.set(key, write);
      setTimeout(writeFirst, 2_000, key);
    }
  };
}

function answer(
  objects: Map<string, Buffer>,
  honesty: Honesty,
  timing: Timing,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake');
  const key = decodeURIComponent(pathname).replace(/^\/bucket\/?/, '');
  const found = objects.get(key);
  const conditional = request.headers['if-none-match'] === '*';
  if (request.method === 'PUT' && conditional && honesty === 'ignorant') {
    fail(response, 501, 'NotImplemented');
  } else if (request.method === 'PUT' && conditional && honesty !== 'lying' && found !== undefined) {
    fail(response, 412, 'PreconditionFailed');
  } else if (request.method === 'PUT') {
    timing(key, () => {
      objects.set(key, body);
      response.writeHead(200, { etag: etagOf(body) }).end();
    });
  } else if (request.method === 'DELETE') {
    objects.delete(key);
    response.writeHead(204).end();
  } else if (key === '') {
    list(objects, searchParams, response);
  } else if (found === undefined) {
    fail(response, 404, 'NoSuchKey');
  } else {
    sendObject(found, request.headers.range, response);
  }
}

function sendObject(bytes: Buffer, range: string | undefined, response: ServerResponse): void {
  const etag = etagOf(bytes);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (first === undefined) {
    response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
    return;
  }
  const part = bytes.subarray(Number(first), Number(last) + 1);
  if (part.length === 0) {
    fail(response, 416, 'InvalidRange');
    return;
  }
  const end = Number(first) + part.length - 1;
  const headers = {
    etag,
    'content-length': part.length,
    'content-range': `bytes ${first}-${end}/${bytes.length}`,
  };
  response.writeHead(206, headers).end(part);
}

/** Answers with an error of S3. */
export function fail(response: ServerResponse, status: number, code: string): void {
  // Messages of real stores repeat what was sent.
  const message = `the-access-key X-Amz-Signature=0123`;
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

function list(objects: Map<string, Buffer>, query: URLSearchParams, response: ServerResponse): void {
  const contents = [...objects]
    .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('start-after') ?? ''))
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .slice(0, Number(query.get('max-keys') ?? 1_000))
    .map(([key, { length }]) => `<Contents><Key>${key}</Key><Size>${length}</Size></Contents>`);
  response
    .writeHead(200, { 'content-type': 'application/xml' })
    .end(`<?xml version="1.0"?><ListBucketResult>${contents.join('')}</ListBucketResult>`);
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}
