import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TestServer } from '../../support/server.js';

const WORKER = 'addEventListener("fetch", (event) => event.respondWith(new Response("forged")))';

describe("A browser's request for a service worker's script", () => {
  let server: TestServer;
  before(async () => {
    server = await TestServer.start();
    await server.upload('tool-1.0-docs.zip', { 'index.html': 'front', 'worker.js': WORKER });
    await server.upload('gone-1.0-docs.zip', { 'index.html': 'front', 'worker.js': WORKER });
    await server.delete('gone/1.0');
  });
  after(() => server.close());

  for (const path of [
    '/tool-1.0/worker.js',
    '/tool-latest/worker.js',
    '/gone-1.0/worker.js',
    '/-/switcher.js',
  ]) {
    it(`gets a script that does nothing and unregisters itself: ${path}`, async () => {
      // Read often, so that it could come from memory.
      for (let time = 0; time < 3; time += 1) await (await server.get(path)).text();
      const answer = await server.get(path, { 'Service-Worker': 'script' });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const script = await answer.text();
      assert.match(script, /registration\.unregister\(\)/);
      assert.doesNotMatch(script, /fetch|forged/);
    });
  }

  it('leaves ordinary requests for the same file unchanged', async () => {
    await (await server.get('/tool-1.0/worker.js', { 'Service-Worker': 'script' })).text();
    assert.equal(await (await server.get('/tool-1.0/worker.js')).text(), WORKER);
    assert.equal((await server.get('/gone-1.0/worker.js')).status, 404);
  });
});
