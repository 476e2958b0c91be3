import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TrustedProxies } from '../../../src/node/trusted-proxies.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

describe('What a proxy says of people', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start(withPrivate());
    await server.upload('vault-1.0-docs.zip');
  });
  after(() => server.close());

  const statusOf = async (headers: Record<string, string>) =>
    (await server.get('/vault-1.0/', headers)).status;

  it('counts as it was sent in UTF-8, without white space around names', async () => {
    assert.equal(await statusOf({ 'X-User': ' ann ' }), 200);
    assert.equal(await statusOf({ 'X-User': 'x', 'X-Groups': ' staff ,  insiders,' }), 200);
    assert.equal(await statusOf({ 'X-User': 'x', 'X-Groups': 'insiders-2' }), 404);
  });

  it('counts beside an `Authorization` that the proxy tells about them, and not beside a token of this server', async () => {
    const authorization = { Authorization: 'Bearer aaa.bbb.ccc' };
    assert.equal(await statusOf({ ...AS.ann, ...authorization }), 200);
    assert.equal(await statusOf({ ...AS.ann, ...AS.stranger }), 404);
    assert.equal(await statusOf(authorization), 401);
  });

  it('is nobody without a name, whatever groups are named', async () => {
    for (const headers of [
      { 'X-User': '' },
      { 'X-User': ' ', 'X-Groups': 'insiders' },
      { 'X-Groups': 'insiders' },
    ]) {
      assert.equal(await statusOf(headers), 404);
    }
  });

  it('is 400 when a header is there twice, on public pages and beside a token as well', async () => {
    await server.upload('shown-1.0-docs.zip');
    for (const lines of [
      'X-User: bob\r\nX-User: ann',
      'X-User: ann\r\nx-user: ann',
      'X-User: x\r\nX-Groups: a\r\nX-Groups: insiders',
      'X-User: bob\r\nX-User: ann\r\nX-Token: secret-admin',
    ]) {
      for (const path of ['/vault-1.0/', '/shown-1.0/', '/shown-1.0/', '/api/projects']) {
        const answer = await server.raw(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n\r\n`,
        );
        assert.match(answer, /^HTTP\/1\.1 400 /, path);
        assert.match(answer, /is there more than once/);
      }
    }
  });
});

describe('What others than trusted proxies say of people', () => {
  it('is dropped, and said in the log once', async () => {
    const options = withPrivate();
    const people = options.people && { ...options.people, proxies: new TrustedProxies('10.0.0.0/8,unix') };
    const server = await TestServer.start({ ...options, ...(people && { people }) });
    try {
      await server.upload('vault-1.0-docs.zip');
      for (const headers of [AS.ann, AS.ann, AS.insider]) {
        assert.equal((await server.get('/vault-1.0/', headers)).status, 404);
      }
      // Nor do two of them do any harm.
      const twice = await server.raw(
        'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-User: a\r\nX-User: b\r\n\r\n',
      );
      assert.match(twice, /^HTTP\/1\.1 200 /);
      const said = server.log.filter((line) => /are dropped/.test((line as { message: string }).message));
      assert.deepEqual(
        said.map((line) => (line as { address?: string }).address),
        ['127.0.0.1'],
      );
    } finally {
      await server.close();
    }
  });
});
