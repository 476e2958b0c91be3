import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { combinedLine } from '../../src/adapters/http/combined-log.js';
import { DURATION_BOUNDS, routeOf, Traffic } from '../../src/adapters/http/traffic.js';

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
    it(`${path || 'of nothing'} is ${route}`, () => assert.equal(routeOf(path), route));
  }
});

describe('Traffic', () => {
  const answered = { path: '/a-1.0/', method: 'GET', status: 200, bytes: 10 };

  it('adds up requests, durations, bytes, refusals and what uploads bring', () => {
    const traffic = new Traffic();
    traffic.count(answered, 0.4);
    traffic.count({ ...answered, method: 'HEAD', bytes: 1 }, 1);
    traffic.count({ ...answered, aborted: true }, 1_000_000);
    traffic.count({ path: '/api/upload', method: 'POST', status: 201, bytes: 5, archiveBytes: 700 }, 90);
    traffic.count(
      { path: '/api/upload', method: 'POST', status: 409, bytes: 5, refusal: 'version_exists' },
      3,
    );
    assert.deepEqual(
      [...traffic.requests()],
      [
        { route: 'site', method: 'read', status: '200', count: 3 },
        { route: 'upload', method: 'write', status: '201', count: 1 },
        { route: 'upload', method: 'write', status: '409', count: 1 },
      ],
    );
    const [site, upload] = [...traffic.durations()];
    assert.deepEqual(site?.counts, [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert.deepEqual(upload?.counts, [0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
    assert.equal(site?.counts.length, DURATION_BOUNDS.length + 1);
    assert.ok(Math.abs((site?.seconds ?? 0) - 1_000.0014) < 1e-9);
    assert.deepEqual(
      [...traffic.outcomes()],
      [
        { route: 'site', bytes: 21, aborted: 1 },
        { route: 'upload', bytes: 10, aborted: 0 },
      ],
    );
    assert.deepEqual([...traffic.refusals], [['version_exists', 1]]);
    assert.equal(traffic.archiveBytes, 700);
  });

  it('keeps no more sums than there are routes, methods and statuses, whatever clients ask for', () => {
    const traffic = new Traffic();
    for (let n = 0; n < 1_000; n += 1) {
      traffic.count({ ...answered, path: `/${n}-1.0/${n}`, method: `M${n}` }, n);
    }
    assert.deepEqual(
      [...traffic.requests()],
      [{ route: 'site', method: 'other', status: '200', count: 1_000 }],
    );
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

  it('is as Apache writes it', () => {
    assert.equal(
      line({ referer: 'http://x/', 'user-agent': 'curl/8' }, { token: 'release manager' }),
      '10.0.0.1 - release_manager [05/Nov/2026:06:07:08 +0000] "GET /a-1.0/ HTTP/1.1" 200 12 "http://x/" "curl/8"\n',
    );
    assert.match(line({}), /^10\.0\.0\.1 - - \[.*\] ".*" 200 12 "-" "-"\n$/);
  });

  it('cannot be ended or forged by what a client sends', () => {
    const hostile = 'a" 200 1\r\n\\\u0007\u00e9\u{1f600}';
    const text = line({ 'user-agent': hostile }, { path: '/"\n', client: '1 "x"', token: 'a "b"\n' });
    assert.equal(text.indexOf('\n'), text.length - 1);
    assert.equal(text.match(/(?<!\\x5c)"/g)?.length, 6);
    assert.ok(text.endsWith('"a\\x22 200 1\\x0d\\x0a\\x5c\\x07\\xe9\\xf0\\x9f\\x98\\x80"\n'), text);
    assert.match(text, /^1_\\x22x\\x22 - a_\\x22b\\x22\\x0a \[/);
  });
});
