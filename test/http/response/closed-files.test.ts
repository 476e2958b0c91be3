import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import Koa from 'koa';
import { openEntry } from '../../../src/adapters/filesystem/reading/stored-file.js';
import type { AppParts } from '../../../src/adapters/http/app-parts.js';
import { HttpFault } from '../../../src/adapters/http/errors.js';
import { PublicAddress } from '../../../src/adapters/http/index.js';
import type { Answer, Asked } from '../../../src/adapters/http/response/answer.js';
import { render } from '../../../src/adapters/http/response/render.js';
import { send } from '../../../src/adapters/http/response/send.js';
import type { StoredFile } from '../../../src/application/index.js';
import { askedFor } from '../../support/asked.js';
import { openFilesBelow } from '../../support/open-files.js';

const LARGE = 2 * 1024 * 1024;
const PARTS = {
  at: new PublicAddress(),
  indexing: true,
  kept: { keep: () => {} },
  logger: { error: () => {} },
  pages: { failure: () => '' },
  readers: { areDifferent: false },
  useCases: {},
} as unknown as AppParts;

const answerWith = (file: StoredFile): Answer => ({
  status: 200,
  cache: 'revalidate',
  body: { file, name: 'a.html' },
});

/** A large file that counts how often it is closed, with or without a gzip encoding of its own. */
function countedFile(hasGzip: boolean) {
  let closed = 0;
  const close = async () => {
    closed += 1;
  };
  async function* stream() {
    try {
      for (let sent = 0; sent < LARGE; sent += 65_536) yield Buffer.alloc(65_536);
    } finally {
      await close();
    }
  }
  const encoded = { size: LARGE, stream, close, distrust: () => {} };
  const file: StoredFile = {
    size: LARGE,
    modifiedAt: new Date(0),
    etag: 'x',
    stream: () => (hasGzip ? assert.fail('the encoding is sent') : stream()),
    close: async () => (hasGzip ? undefined : close()),
    ...(hasGzip ? { gzipped: async () => encoded } : {}),
  };
  return { file, closed: () => closed };
}

describe('A large file whose client leaves before reading', () => {
  for (const hasGzip of [true, false]) {
    it(`is closed, ${hasGzip ? 'sent in a stored encoding' : 'compressed as it is sent'}`, async () => {
      const { file, closed } = countedFile(hasGzip);
      const asked = askedFor({ headers: { 'accept-encoding': 'gzip' } });
      const { body } = await render(answerWith(file), asked, PARTS);
      assert.ok(body instanceof Readable);
      body.destroy();
      await once(body, 'close');
      await new Promise(setImmediate);
      assert.ok(closed() > 0);
    });
  }
});

describe('A response that holds an open file and is never sent', () => {
  const COUNT = 10_000;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-test-'));
    await writeFile(join(directory, 'large.html'), Buffer.alloc(LARGE, 'x'));
  });
  after(() => rm(directory, { recursive: true }));

  /** Sends it to a client that has left. */
  async function sendToNobody(asked: Asked, answer: Answer): Promise<void> {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    response.destroy();
    const ctx = new Koa().createContext(request, response);
    await send(ctx, asked, Promise.resolve(answer), PARTS);
    if (ctx.body instanceof Readable && !ctx.body.closed) await once(ctx.body, 'close');
  }
  const rendered = async (asked: Asked, answer: Answer) => void (await render(answer, asked, PARTS));
  const failing: AppParts = {
    ...PARTS,
    accelRedirect: {
      location: '/x/',
      store: {
        localPath: () => {
          throw new Error('the store is away');
        },
      },
    },
  };
  const ways: Readonly<Record<string, (file: StoredFile) => Promise<void>>> = {
    'for HEAD': (file) => rendered(askedFor({ method: 'HEAD' }), answerWith(file)),
    'for HEAD with gzip': (file) =>
      rendered(askedFor({ method: 'HEAD', headers: { 'accept-encoding': 'gzip' } }), answerWith(file)),
    'for a client that has the page': (file) =>
      rendered(askedFor({ headers: { 'if-none-match': '*' } }), answerWith(file)),
    'for a range outside of it': (file) =>
      assert.rejects(
        rendered(askedFor({ headers: { range: 'bytes=9999999-' } }), answerWith(file)),
        HttpFault,
      ),
    'for a failure on the way': (file) =>
      assert.rejects(render(answerWith(file), askedFor(), failing), /the store is away/),
    'for a client that has left': (file) => sendToNobody(askedFor(), answerWith(file)),
    'for a client that has left, with gzip': (file) =>
      sendToNobody(askedFor({ headers: { 'accept-encoding': 'gzip' } }), answerWith(file)),
  };

  it(`closes the files of ${COUNT} such responses, whatever the reason`, {
    skip: process.platform === 'linux' ? false : 'it counts open files in /proc',
  }, async () => {
    const reasons = Object.values(ways);
    for (let opened = 0; opened < COUNT; opened += 100) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          const entry = await openEntry(join(directory, 'large.html'));
          if (entry?.kind !== 'file') assert.fail('the file is there');
          await reasons[(opened + index) % reasons.length]?.(entry.file);
        }),
      );
    }
    assert.deepEqual(await openFilesBelow(directory), []);
  });
});
