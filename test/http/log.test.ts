import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
});
