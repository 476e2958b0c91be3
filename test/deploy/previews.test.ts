import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { TestServer } from '../support/server.js';
import { WEB_SERVERS } from '../support/web-servers.js';

describe('Previews behind a web server', () => {
  for (const { name, needs, start } of WEB_SERVERS) {
    it(`are passed to Lectern by ${name}, with noindex`, needs, async (context) => {
      const lectern = await TestServer.start({ trustProxy: true });
      context.after(() => lectern.close());
      // Others than the one who made it are to read it.
      await chmod(lectern.docs, 0o755);
      const front = await start(lectern);
      context.after(() => front.close());
      const server = lectern.reachedAt(front.url);
      await server.upload('tool~pr-1-docs.zip', { 'index.html': 'preview' });
      for (const path of [
        '/tool~pr-1/',
        '/tool~pr-1/index.html',
        '/tool%7Epr-1/index.html',
        '/tool~pr-1-docs.zip',
      ]) {
        const answer = await server.get(path);
        await answer.arrayBuffer();
        assert.deepEqual([answer.status, answer.headers.get('x-robots-tag')], [200, 'noindex'], path);
      }
      await server.delete('tool/pr-1', 'ci', 'previews');
      assert.equal((await server.get('/tool~pr-1/index.html')).status, 404);
    });
  }
});
