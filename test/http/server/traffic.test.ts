import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { combinedLine, methodClassOf, routeOf } from '../../../src/adapters/http/server/request-log.js';

describe('The route of a request', () => {
  const routes = [
    ['/', 'own'],
    ['/help', 'own'],
    ['/-/assets/lectern.css', 'own'],
    ['/-/projects/a', 'own'],
    ['/api', 'api'],
    ['/api/version', 'api'],
    ['/api/nothing/here', 'api'],
    ['/api/projects', 'list'],
    ['/api/upload', 'upload'],
    ['/api/download/a/latest', 'archive'],
    ['/a-1.0-docs.zip', 'archive'],
    ['/api/delete/a/1.0', 'delete'],
    ['/api-1.0/', 'site'],
    ['/apia', 'site'],
    ['/a-1.0/old-docs.zip', 'site'],
    ['/a-latest/guide', 'site'],
    ['', 'site'],
    ['*', 'site'],
    ['/../..//%2e', 'site'],
  ] as const;
  for (const [path, route] of routes) {
    it(`is ${route} for '${path}'`, () => assert.equal(routeOf(path), route));
  }
});

describe('The method class of a request', () => {
  it('is one of three, whatever a client sends', () => {
    const methods = ['GET', 'HEAD', 'POST', 'DELETE', 'BREW', undefined];
    assert.deepEqual(methods.map(methodClassOf), ['read', 'read', 'write', 'write', 'other', 'other']);
  });
});

describe('A line in the combined format', () => {
  const at = new Date('2026-11-05T06:07:08.9Z');
  const line = (headers: Record<string, string>, fields: object = {}) =>
    combinedLine(
      { headers, httpVersion: '1.1' } as unknown as IncomingMessage,
      { client: '10.0.0.1', method: 'GET', path: '/a-1.0/', status: 200, bytes: 12, ...fields },
      at,
    );

  it("has Apache's form", () => {
    assert.equal(
      line({ referer: 'http://x/', 'user-agent': 'curl/8' }, { token: 'release manager' }),
      '10.0.0.1 - release_manager [05/Nov/2026:06:07:08 +0000] "GET /a-1.0/ HTTP/1.1" 200 12 "http://x/" "curl/8"\n',
    );
    assert.match(line({}), /^10\.0\.0\.1 - - \[.*\] ".*" 200 12 "-" "-"\n$/);
  });

  it("cannot be ended or forged by a client's text", () => {
    const hostile = 'a" 200 1\r\n\\\u0007\u00e9\u{1f600}';
    const text = line({ 'user-agent': hostile }, { path: '/"\n', client: '1 "x"', token: 'a "b"\n' });
    assert.equal(text.indexOf('\n'), text.length - 1);
    assert.equal(text.match(/(?<!\\x5c)"/g)?.length, 6);
    assert.ok(text.endsWith('"a\\x22 200 1\\x0d\\x0a\\x5c\\x07\\xe9\\xf0\\x9f\\x98\\x80"\n'), text);
    assert.match(text, /^1_\\x22x\\x22 - a_\\x22b\\x22\\x0a \[/);
  });
});
