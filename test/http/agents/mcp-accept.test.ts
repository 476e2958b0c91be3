import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '../../support/ask-host.js';
import { withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

const JSON_TYPE = /^application\/json/;
const EVENT = /^text\/event-stream/;
/** Sent by clients of the official SDKs. */
const OFFICIAL = 'application/json, text/event-stream';
/** The messages of clients of 2025 and of 2026, with the headers that belong to them. */
const MESSAGES = {
  2025: {
    headers: {},
    message: {
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
  },
  2026: {
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' },
    message: {
      method: 'server/discover',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    },
  },
} as const;
/** `Accept`, undefined for none, and the form of the answer to clients of 2025 and of 2026. */
const FORMS = [
  [undefined, JSON_TYPE, JSON_TYPE],
  ['*/*', JSON_TYPE, JSON_TYPE],
  ['application/*', JSON_TYPE, JSON_TYPE],
  ['application/json', JSON_TYPE, JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE, JSON_TYPE],
  ['text/html, */*;q=0.1', JSON_TYPE, JSON_TYPE],
  ['application/json, text/event-stream;q=0.5', JSON_TYPE, JSON_TYPE],
  ['text/event-stream', EVENT, EVENT],
  ['text/*', EVENT, EVENT],
  ['text/event-stream, */*;q=0.1', EVENT, EVENT],
  ['application/json;q=0, */*', EVENT, EVENT],
  [OFFICIAL, EVENT, JSON_TYPE],
  [`${OFFICIAL}, */*;q=0.5`, EVENT, JSON_TYPE],
  ['text/event-stream,application/json', EVENT, JSON_TYPE],
  [`${OFFICIAL},${' '.repeat(1_000)}text/html`, JSON_TYPE, JSON_TYPE],
] as const;

describe('Accept at /-/mcp', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
  });
  after(() => server.close());

  const post = (accept: string | undefined, year: keyof typeof MESSAGES, more = {}) => {
    const { headers, message } = MESSAGES[year];
    return ask(server, 'localhost', '/-/mcp', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...headers,
        ...(accept !== undefined && { Accept: accept }),
        ...more,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    });
  };

  for (const [accept, ...forms] of FORMS) {
    it(`is answered in its preferred form: '${accept?.replaceAll(/ {9,}/g, ' … ') ?? ''}'`, async () => {
      for (const [at, year] of ([2025, 2026] as const).entries()) {
        const { status, headers, body } = await post(accept, year);
        assert.equal(status, 200, body);
        assert.match(String(headers['content-type']), forms[at] as RegExp, `${year}`);
        const isEvent = forms[at] === EVENT;
        const data = isEvent ? /^(?:event: message\n)?data: (.*)\n\n$/.exec(body)?.[1] : body;
        assert.match(JSON.stringify(JSON.parse(data ?? '').result), /"name":"lectern"/);
      }
    });
  }

  it('closes the connection after an event when the client requests it', async () => {
    const { status, headers } = await post(OFFICIAL, 2025, { Connection: 'close' });
    assert.deepEqual([status, headers.connection], [200, 'close']);
  });

  it('is refused with neither type, by a JSON-RPC error', async () => {
    for (const accept of ['text/html', 'image/*', '*/*;q=0', 'application/json;q=0, text/event-stream;q=0']) {
      for (const year of [2025, 2026] as const) {
        const { status, headers, body } = await post(accept, year);
        assert.equal(status, 406, accept);
        assert.match(String(headers['content-type']), JSON_TYPE);
        const { id, error } = JSON.parse(body);
        assert.deepEqual([id, error.code], [null, -32_600]);
        assert.equal(error.message, 'Accept application/json or text/event-stream');
      }
    }
  });

  it('gets errors in JSON only', async (t) => {
    const guarded = await TestServer.start(withPrivate());
    t.after(() => guarded.close());
    const wrong = { 'X-Token': 'wrong' };
    for (const accept of ['text/html', 'text/event-stream', '*/*', OFFICIAL]) {
      const answers = [
        await post(accept, 2025, { Origin: 'https://evil.example' }),
        await post(accept === 'text/html' ? '*/*' : accept, 2025, { 'Content-Type': 'text/plain' }),
        await ask(server, 'localhost', '/-/mcp', { headers: { Accept: accept } }),
        await ask(guarded, 'localhost', '/-/mcp', { method: 'POST', headers: { Accept: accept, ...wrong } }),
      ];
      assert.deepEqual(
        answers.map(({ status }) => status),
        [403, 415, 405, 401],
      );
      for (const { headers, body } of answers) {
        assert.match(String(headers['content-type']), JSON_TYPE);
        assert.equal(JSON.parse(body).jsonrpc, '2.0');
      }
    }
  });
});
