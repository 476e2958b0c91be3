import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LecternServer } from '../../../src/adapters/http/server/lectern-server.js';
import { Probes, StartupGate } from '../../../src/adapters/http/server/startup-gate.js';

describe('The startup gate', () => {
  let catalogue: () => unknown = () => undefined;
  let isIncomplete = false;
  let metricsText = async () => 'a 1\n';
  let probes: Probes;
  let gate: StartupGate;
  let server: LecternServer;
  let url: string;
  before(async () => {
    probes = new Probes({ contentType: 'text/plain', text: () => metricsText() });
    gate = new StartupGate(probes, 0);
    server = new LecternServer(gate.listener);
    url = await server.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => server.close(1_000));

  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const ready = async () => {
    const { status, text } = await ask('/-/ready');
    return { status, ...JSON.parse(text) };
  };

  it('responds to probes during the start: live, and not ready', async () => {
    assert.deepEqual(JSON.parse((await ask('/-/health')).text), { healthy: true });
    assert.deepEqual(await ready(), { status: 503, ready: false, reasons: ['starting'] });
  });

  it('refuses all other requests during the start, in words for people and as JSON for programs', async () => {
    const page = await ask('/a-1.0/');
    assert.equal(page.status, 503);
    assert.equal(page.headers.get('retry-after'), '5');
    assert.equal(page.text, 'The server is starting; try again in a few seconds\n');
    const upload = await ask('/api/upload', { method: 'POST', body: 'x'.repeat(300_000) });
    assert.equal(upload.status, 503);
    assert.deepEqual(JSON.parse(upload.text), {
      success: false,
      error: 'unavailable',
      message: 'The server is starting; try again in a few seconds',
    });
    const agent = await ask('/-/mcp', { method: 'POST', body: '{}', headers: { Accept: 'text/html' } });
    assert.deepEqual([agent.status, JSON.parse(agent.text).error.data.error], [503, 'unavailable']);
    assert.equal((await ask('/', { method: 'HEAD' })).text, '');
  });

  it('passes requests once open, and is ready while all documentation is readable', async () => {
    gate.open((_request, response) => {
      response.writeHead(200, { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
      response.end('behind it');
    });
    probes.serving({ look: () => catalogue(), isIncomplete: () => isIncomplete });
    assert.equal((await ask('/a-1.0/')).text, 'behind it');
    assert.deepEqual(await ready(), { status: 200, ready: true, reasons: [] });
    catalogue = () => {
      throw new Error('gone');
    };
    assert.deepEqual(await ready(), { status: 503, ready: false, reasons: ['docs_unavailable'] });
    assert.equal((await ask('/-/health?from=there')).status, 200);
    catalogue = () => undefined;
    assert.equal((await ready()).status, 200);
    isIncomplete = true;
    assert.deepEqual(await ready(), { status: 503, ready: false, reasons: ['log_incomplete'] });
    isIncomplete = false;
    assert.equal((await ready()).status, 200);
  });

  it('serves the given metrics unchanged, and reports their failure', async () => {
    const metrics = await ask('/-/metrics');
    assert.deepEqual([metrics.headers.get('content-type'), metrics.text], ['text/plain', 'a 1\n']);
    metricsText = () => Promise.reject(new Error('x'));
    assert.equal((await ask('/-/metrics')).status, 500);
  });

  it('passes paths that only resemble probes, and other methods, to the server behind', async () => {
    for (const path of ['/-/healthy', '/-/ready/', '/-/health/x', '/health']) {
      assert.equal((await ask(path)).text, 'behind it', path);
    }
    assert.equal((await ask('/-/ready', { method: 'POST' })).text, 'behind it');
    assert.equal((await ask('/-/ready', { method: 'HEAD' })).text, '');
  });

  it('is not ready while draining, and still passes requests', async () => {
    probes.draining();
    assert.deepEqual(await ready(), { status: 503, ready: false, reasons: ['draining'] });
    assert.equal((await ask('/a-1.0/')).text, 'behind it');
    assert.equal((await ask('/-/health')).status, 200);
  });
});

describe("A request that arrives during the server's start", () => {
  it('waits, and gets its response as soon as the server serves', async () => {
    const gate = new StartupGate(new Probes());
    const server = new LecternServer(gate.listener);
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    const early = [fetch(`${url}/a-1.0/`), fetch(url, { method: 'POST', body: 'x'.repeat(300_000) })];
    assert.equal((await fetch(`${url}/-/health`)).status, 200);
    gate.open((request, response) => void request.resume().once('end', () => response.end('served')));
    for (const answer of await Promise.all(early)) assert.equal(await answer.text(), 'served');
    await server.close(1_000);
  });
});
