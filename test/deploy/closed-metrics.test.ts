import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';
import { type KnownWebServer, NGINX, WEB_SERVERS } from '../support/web-servers.js';

/** Spellings of the path of the metrics, below no base path and below several. */
const SPELLINGS = [
  '/-/metrics',
  '/-/metrics?x=1',
  '/%2d/metrics',
  '/-/%6Detrics',
  '//-/metrics',
  '/docs/-/metrics',
  '/docs/-/metrics?x=1',
  '/docs/%2D/metrics',
  '/docs/-/metric%73',
  '/%64ocs/-/metrics',
  '/docs//-/metrics',
  '/team/docs/-/metrics',
] as const;

const STRIPPING: KnownWebServer = {
  ...NGINX,
  name: 'nginx that strips the base path',
  start: ({ docs, url }) => startNginx(docs, url, { '# rewrite ^/docs': 'rewrite ^/docs' }),
};

for (const { name, needs, start } of [...WEB_SERVERS, STRIPPING]) {
  describe(`The metrics below a base path behind ${name}`, needs, () => {
    let lectern: TestServer;
    let front: WebServer;
    before(async () => {
      lectern = await TestServer.start({ trustProxy: true, basePath: '/docs' });
      await chmod(lectern.docs, 0o755);
      front = await start(lectern);
    });
    after(async () => {
      await front.close();
      await lectern.close();
    });

    it('are refused in every spelling, before Lectern is asked', async () => {
      const server = lectern.reachedAt(front.url);
      const origin = new URL(front.url).host;
      for (const path of SPELLINGS) {
        assert.equal((await server.rawGet(path)).status, 403, path);
        // Apache refuses whole addresses as such.
        const { status } = await server.rawGet(`http://${origin}${path}`);
        assert.ok(status === 403 || status === 400, `http://${origin}${path}: ${status}`);
      }
      assert.equal((await server.get('/docs/-/nothing')).status, 404);
      const asked = lectern.log.map((line) => (line as { path?: string }).path ?? '');
      assert.ok(asked.some((path) => path.endsWith('/-/nothing')));
      assert.deepEqual(
        asked.filter((path) => path.endsWith('metrics')),
        [],
      );
    });
  });
}
