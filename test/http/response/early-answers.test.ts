import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

const DOMAIN = 'docs.example.org';

describe("A response that is sent before its request's body has come", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start({
      ...withPrivate(),
      origin: `https://${DOMAIN}`,
      hosts: { domain: DOMAIN },
    });
    await server.upload('shown-1.0-docs.zip');
  });
  after(() => server.close());

  interface Ask {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly host?: string;
  }

  /** @param length of a body of which nothing is sent before the answer is there */
  async function answerTo({ method, path, headers, host = DOMAIN }: Ask, length: number) {
    const { port } = new URL(server.url);
    const sent = request({
      ...{ port, path, method },
      headers: { Host: host, ...headers, ...(length === 0 ? {} : { 'Content-Length': length }) },
    });
    sent.flushHeaders();
    if (length === 0) sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if (length > 0) sent.end('x'.repeat(length));
    const body = method === 'HEAD' ? '' : await text(response.on('error', () => {}));
    sent.destroy();
    const { connection, date, 'keep-alive': _, 'x-request-id': __, ...kept } = response.headers;
    return { connection, compared: { status: response.statusCode, headers: kept, body } };
  }

  const wrong = { 'X-Token': 'wrong' };
  const cases: readonly (readonly [what: string, status: number, Ask])[] = [
    ['an upload with a wrong token', 401, { method: 'POST', path: '/api/upload', headers: wrong }],
    ['a change with a wrong token', 401, { method: 'PUT', path: '/api/restore/x/1.0', headers: wrong }],
    ['a page with a wrong token', 401, { method: 'GET', path: '/shown-1.0/', headers: wrong }],
    ['headers of a page with a wrong token', 401, { method: 'HEAD', path: '/shown-1.0/', headers: wrong }],
    ['a page that is sent to', 405, { method: 'POST', path: '/shown-1.0/', headers: AS.ann }],
    ['a message that is put', 405, { method: 'PUT', path: '/-/mcp', headers: AS.reader }],
    [
      'a page on the host of a project that is sent to',
      405,
      { method: 'POST', path: '/-/nothing', headers: AS.ann, host: `shown.${DOMAIN}` },
    ],
  ];

  for (const [what, status, asked] of cases) {
    it(`has the headers of a later one: ${what}`, async () => {
      const whole = await answerTo(asked, 0);
      const early = await answerTo(asked, 10);
      assert.equal(early.connection, 'close');
      assert.equal(whole.compared.status, status);
      assert.deepEqual(early.compared, whole.compared);
      const { headers } = early.compared;
      assert.match(String(headers.vary), /X-Token/);
      assert.deepEqual(
        [headers['cache-control'], headers['cross-origin-resource-policy']],
        ['no-store', 'same-origin'],
      );
    });
  }
});
