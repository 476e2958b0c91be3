import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '../support/ask-host.js';
import { withPrivate } from '../support/private-projects.js';
import { type Json, TestServer } from '../support/server.js';

const DOMAIN = 'docs.example.org';
const WRONG = { Authorization: 'Bearer wrong' };
const TWICE =
  'GET PATH HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: text/html\r\nX-User: a\r\nX-User: b\r\n\r\n';

describe('An error on a path for programs', () => {
  let server: TestServer;
  let withoutMcp: TestServer;
  before(async () => {
    const hosts = { origin: `https://${DOMAIN}`, hosts: { domain: DOMAIN } };
    server = await TestServer.start({ ...withPrivate(), ...hosts });
    withoutMcp = await TestServer.start({ mcp: false });
  });
  after(async () => {
    await server.close();
    await withoutMcp.close();
  });

  for (const [what, path, status, error, method, headers] of [
    ['a wrong token', '/api/projects', 401, 'authentication_required', 'GET', WRONG],
    ['a wrong token', '/-/mcp', 401, 'authentication_required', 'POST', WRONG],
    ['a wrong token', '/-/mcp', 401, 'authentication_required', 'GET', WRONG],
    ['an unknown path', '/api/nothing', 404, 'not_found', 'GET', {}],
    ['an unknown path', '/-/mcp/nothing', 404, 'not_found', 'GET', {}],
    ['another method', '/api/projects', 405, 'method_not_allowed', 'DELETE', {}],
    ['another method', '/-/mcp/nothing', 405, 'method_not_allowed', 'POST', {}],
  ] as const) {
    it(`is JSON for ${what} at ${method} ${path}, whatever the Accept header`, async () => {
      for (const Accept of ['text/html', 'application/xhtml+xml', '*/*', 'application/json;q=0']) {
        const response = await server.fetch(path, { method, headers: { ...headers, Accept } });
        const body = (await response.json()) as Json;
        assert.match(response.headers.get('Content-Type') ?? '', /^application\/json; charset=utf-8$/);
        assert.equal(response.status, status);
        assert.equal(body.jsonrpc === undefined ? body.error : body.error.data.error, error);
        assert.equal(body.jsonrpc !== undefined, path.startsWith('/-/mcp'));
      }
    });
  }

  it('is JSON for contradictory headers', async () => {
    for (const path of ['/api/projects', '/-/mcp']) {
      const answer = await server.raw(TWICE.replace('PATH', path));
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /^Content-Type: application\/json/im);
    }
  });

  it("is JSON on a project's host, which has no MCP", async () => {
    const answer = await ask(server, `shown.${DOMAIN}`, '/-/mcp', { method: 'POST' });
    assert.deepEqual(
      [answer.status, answer.headers['content-type']],
      [405, 'application/json; charset=utf-8'],
    );
  });

  it('is JSON where MCP is off', async () => {
    for (const [method, status] of [
      ['GET', 404],
      ['POST', 405],
    ] as const) {
      const response = await withoutMcp.fetch('/-/mcp', { method });
      assert.equal(response.status, status);
      assert.equal(((await response.json()) as Json).error.code, -32_600);
    }
  });

  it('is a page elsewhere', async () => {
    for (const path of ['/robots.txt', '/-/mcpx', '/apis', '/vault-1.0/']) {
      const response = await server.get(path, WRONG);
      assert.equal(response.status, 401);
      assert.match(response.headers.get('Content-Type') ?? '', /^text\/html/);
      assert.equal(response.headers.get('WWW-Authenticate'), 'Bearer');
    }
  });
});
