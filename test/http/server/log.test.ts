import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { RequestLog, type RequestLogOptions } from '../../../src/adapters/http/server/request-log.js';
import type { ObservedRequest } from '../../../src/application/index.js';
import { TestServer } from '../../support/server.js';

describe('The log', () => {
  it('has one line for each request, with the name of the token on writes and never a secret', async () => {
    const server = await TestServer.start();
    await (await server.upload('a-1.0-docs.zip', undefined, 'ci')).text();
    await (await server.upload('a-1.0-docs.zip', undefined, 'ci')).text();
    await (await server.delete('a/1.0', 'nobody')).text();
    const page = await server.get('/a-1.0/');
    await page.text();
    await server.close();
    const lines = server.log.filter((line) => (line as { message: string }).message === 'request') as Record<
      string,
      unknown
    >[];
    assert.deepEqual(
      lines.map(({ method, path, status, token, refusal }) => [method, path, status, token, refusal]),
      [
        ['POST', '/api/upload', 201, 'ci', undefined],
        ['POST', '/api/upload', 409, 'ci', 'version_exists'],
        ['DELETE', '/api/delete/a/1.0', 401, undefined, 'authentication_required'],
        ['GET', '/a-1.0/', 200, undefined, undefined],
      ],
    );
    for (const { ms, bytes, requestId } of lines) {
      assert.ok(typeof ms === 'number' && ms >= 0);
      assert.ok(typeof bytes === 'number' && bytes > 100);
      assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    }
    assert.equal(lines[3]?.requestId, page.headers.get('x-request-id'));
    assert.doesNotMatch(JSON.stringify(server.log), /secret-/);
  });

  it('has one line, without a stack, for an expected refusal', async () => {
    const server = await TestServer.start({ limits: { minFreeBytes: Number.MAX_SAFE_INTEGER } });
    assert.equal((await server.upload('a-1.0-docs.zip', undefined, 'ci')).status, 507);
    await server.close();
    assert.deepEqual(
      server.log.map((line) => {
        const { message, refusal, reason, token } = line as Record<string, unknown>;
        return [message, refusal, String(reason).split(',')[0], token, 'err' in line];
      }),
      [['request', 'insufficient_storage', 'The disk is full', 'ci', false]],
    );
  });

  it('has the sentence of a refusal in a separate line beside an access log, also without a stack', async () => {
    const combined: string[] = [];
    const server = await TestServer.start({
      limits: { minFreeBytes: Number.MAX_SAFE_INTEGER },
      combined: { write: (line) => combined.push(line) },
    });
    assert.equal((await server.upload('a-1.0-docs.zip', undefined, 'ci')).status, 507);
    await server.close();
    assert.match(combined.join(), /"POST \/api\/upload HTTP\/1\.1" 507 /);
    const [{ requestId, ...line } = {}] = server.log as Record<string, unknown>[];
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    assert.deepEqual(
      [server.log.length, line.message, String(line.reason).split(',')[0], Object.keys(line)],
      [1, 'insufficient_storage', 'The disk is full', ['message', 'reason']],
    );
  });

  /** Returns the lines of a log with these options about one request, whose answer is its id. */
  async function followed(loggedLevel: string, options: RequestLogOptions = {}) {
    const lines: string[] = [];
    const isLevelEnabled = (level: string) => level === loggedLevel;
    const info = () => {
      if (isLevelEnabled('info')) lines.push('logger');
    };
    const log = new RequestLog({ info, warn: info, error: info, isLevelEnabled }, false, options);
    const server = createServer((request, response) => {
      const requestId = log.begin(request, response);
      response.on('close', () => server.close()).end(requestId);
    });
    const closed = once(server, 'close');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
    assert.match(await answer.text(), /^[0-9a-f-]{36}$/);
    await closed;
    return lines;
  }

  it('passes requests to monitoring that it does not write', async () => {
    const observed: ObservedRequest[] = [];
    const metrics = { observe: (request: ObservedRequest) => observed.push(request) };
    assert.deepEqual(await followed('warn', { metrics }), []);
    const [{ seconds = -1, bytes = 0, ...rest } = {}] = observed;
    assert.ok(seconds >= 0 && bytes > 100);
    assert.deepEqual(rest, {
      route: 'own',
      method: 'read',
      status: 200,
      aborted: false,
      refusal: undefined,
      token: undefined,
      archiveBytes: undefined,
      waitedMs: undefined,
      warnings: undefined,
    });
  });

  it('has status 499 when the client left before any response', async () => {
    const observed: ObservedRequest[] = [];
    const metrics = { observe: (request: ObservedRequest) => observed.push(request) };
    const log = new RequestLog({ info: () => {}, warn: () => {}, error: () => {} }, false, { metrics });
    const server = createServer((request, response) => {
      log.begin(request, response);
      request.socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
    server.close();
    await once(server, 'close');
    assert.deepEqual(
      observed.map(({ status, aborted }) => [status, aborted]),
      [[499, true]],
    );
  });

  it('is written by the logger, or in the combined format', async () => {
    assert.deepEqual(await followed('info'), ['logger']);
    const combined: string[] = [];
    const write = (line: string) => combined.push(line);
    assert.deepEqual(await followed('info', { combined: { write } }), []);
    assert.match(combined.join(), /"GET \/ HTTP\/1\.1" 200 \d+ /);
  });
});
