import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { RequestLog, type RequestLogOptions } from '../../src/adapters/http/request-log.js';
import { Traffic } from '../../src/adapters/http/traffic.js';
import { TestServer } from '../support/server.js';

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

  /** What a log with these options does about one request, whose answer is its id. */
  async function followed(loggedLevel: string, options: RequestLogOptions = {}) {
    const lines: string[] = [];
    const info = () => lines.push('logger');
    const isLevelEnabled = (level: string) => level === loggedLevel;
    const log = new RequestLog({ info, warn: info, error: info, isLevelEnabled }, false, options);
    let listeners = 0;
    const server = createServer((request, response) => {
      const before = response.listenerCount('close');
      const requestId = log.begin(request, response);
      listeners = response.listenerCount('close') - before;
      response.on('close', () => server.close()).end(requestId);
    });
    const closed = once(server, 'close');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { Connection: 'close' } });
    assert.match(await answer.text(), /^[0-9a-f-]{36}$/);
    await closed;
    return { lines, listeners };
  }

  it('does not follow a request that nobody is to be told of', async () => {
    assert.deepEqual(await followed('warn'), { lines: [], listeners: 0 });
  });

  it('follows a request that the logger, a line of its own format, or a count is about', async () => {
    assert.deepEqual(await followed('info'), { lines: ['logger'], listeners: 1 });
    const combined: string[] = [];
    const write = (line: string) => combined.push(line);
    assert.deepEqual(await followed('warn', { combined: { write } }), { lines: [], listeners: 1 });
    assert.match(combined.join(), /"GET \/ HTTP\/1\.1" 200 \d+ /);
    const traffic = new Traffic();
    assert.equal((await followed('warn', { traffic })).listeners, 1);
    assert.deepEqual([...traffic.requests()], [{ route: 'own', method: 'read', status: '200', count: 1 }]);
  });
});
