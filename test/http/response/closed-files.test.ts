import assert from 'node:assert/strict';
import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import Koa from 'koa';
import { sendFile } from '../../../src/adapters/http/response/send-file.js';
import type { StoredFile } from '../../../src/application/index.js';

const LARGE = 2 * 1024 * 1024;

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

describe('A large file whose client leaves before it is read', () => {
  for (const hasGzip of [true, false]) {
    it(`is closed, ${hasGzip ? 'sent in an encoding that is ready' : 'compressed as it is sent'}`, async () => {
      const request = new IncomingMessage(new Socket());
      request.method = 'GET';
      request.headers = { 'accept-encoding': 'gzip' };
      const ctx = new Koa().createContext(request, new ServerResponse(request));
      const { file, closed } = countedFile(hasGzip);
      await sendFile(ctx, { file, name: 'a.html' });
      const body = ctx.body as Readable;
      body.destroy();
      await once(body, 'close');
      await new Promise(setImmediate);
      assert.ok(closed() > 0);
    });
  }
});
