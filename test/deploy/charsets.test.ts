import { chmod } from 'node:fs/promises';
import { describeCharsets } from '../suites/charsets.js';
import { needsNginx, startNginxOfThree } from '../support/nginx.js';
import { TestServer, type TestServerOptions } from '../support/server.js';
import type { WebServer } from '../support/web-server.js';
import { APACHE, CADDY, NGINX } from '../support/web-servers.js';

async function behind(start: (lectern: TestServer) => Promise<WebServer>, options: TestServerOptions = {}) {
  const lectern = await TestServer.start({ trustProxy: true, ...options });
  // Others than the one who made it are to read it.
  await chmod(lectern.docs, 0o755);
  const front = await start(lectern);
  const close = async () => {
    await front.close();
    await lectern.close();
  };
  return { server: lectern.reachedAt(front.url), close };
}

for (const { name, needs, start } of [NGINX, APACHE, CADDY]) {
  describeCharsets(`A site that is not all in UTF-8, behind ${name},`, () => behind(start), needs);
}

// Nothing from memory, so that nginx is told to send all that it can be told to.
const named: TestServerOptions = { accelRedirect: '/-/files/', cacheBytes: 0 };
describeCharsets(
  'A site that is not all in UTF-8, behind nginx with --accel-redirect,',
  () => behind(NGINX.start, named),
  needsNginx,
);

describeCharsets(
  'A site that is not all in UTF-8, behind nginx with a cache,',
  () => behind(({ url }) => startNginxOfThree([url, url, url])),
  needsNginx,
);
