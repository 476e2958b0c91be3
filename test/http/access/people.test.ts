import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TrustedProxies } from '../../../src/node/trusted-proxies.js';
import { AS, withPrivate } from '../../support/private-projects.js';
import { TestServer } from '../../support/server.js';

describe('Identity headers of a trusted proxy', () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start(withPrivate());
    await server.upload('vault-1.0-docs.zip');
  });
  after(() => server.close());

  const statusOf = async (headers: Record<string, string>) =>
    (await server.get('/vault-1.0/', headers)).status;

  it('are decoded as UTF-8, without white space around names', async () => {
    assert.equal(await statusOf({ 'X-User': ' ann ' }), 200);
    assert.equal(await statusOf({ 'X-User': 'x', 'X-Groups': ' staff ,  insiders,' }), 200);
    assert.equal(await statusOf({ 'X-User': 'x', 'X-Groups': 'insiders-2' }), 404);
  });

  it('apply beside an `Authorization` that the proxy describes, and not beside a token of this server', async () => {
    const authorization = { Authorization: 'Bearer aaa.bbb.ccc' };
    assert.equal(await statusOf({ ...AS.ann, ...authorization }), 200);
    assert.equal(await statusOf({ ...AS.ann, ...AS.stranger }), 404);
    assert.equal(await statusOf(authorization), 401);
  });

  it('name nobody without a user name, whatever groups they list', async () => {
    for (const headers of [
      { 'X-User': '' },
      { 'X-User': ' ', 'X-Groups': 'insiders' },
      { 'X-Groups': 'insiders' },
    ]) {
      assert.equal(await statusOf(headers), 404);
    }
  });

  it('cause 400 when a header is repeated, on public pages and beside a token as well', async () => {
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
        assert.match(answer, /was sent more than once/);
      }
    }
  });
});

describe('Identity headers of other clients', () => {
  it('are dropped, and logged once', async () => {
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
      const said = server.log.filter((line) =>
        /^dropped identity headers/.test((line as { message: string }).message),
      );
      assert.deepEqual(
        said.map((line) => (line as { address?: string }).address),
        ['127.0.0.1'],
      );
    } finally {
      await server.close();
    }
  });
});
