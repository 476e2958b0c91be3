import assert from 'node:assert/strict';
import { type Differences, describeSites } from '../suites/sites.js';
import { needsNginx, startNginxOfThree } from '../support/nginx.js';
import { TestServer } from '../support/server.js';

const MALFORMED = { answer: 400, because: 'nginx decodes a path before it looks for who answers it' };

/** docs/object-store.md names them all. */
const DIFFERENCES: Differences = {
  '/my-project-1.0.0/..%2f..%2fversion.json': MALFORMED,
  '/my-project-1.0.0/%00': MALFORMED,
  '/my-project-1.0.0/%E0%A4%A': MALFORMED,
  'an earlier date and the ETag': { answer: 200, because: 'for nginx both have to agree' },
};

// A single Lectern takes the place of three: nginx handles an answer alike, whichever server it is from.
describeSites(
  'A site behind nginx with a cache',
  async () => {
    const server = await TestServer.start({ trustProxy: true });
    const nginx = await startNginxOfThree([server.url, server.url, server.url]);
    const close = async () => {
      await nginx.close();
      await server.close();
      assert.doesNotMatch(nginx.errors(), /\[(?:warn|error|crit|alert|emerg)\]/);
    };
    return { server: server.reachedAt(nginx.url), close };
  },
  DIFFERENCES,
  needsNginx,
);
