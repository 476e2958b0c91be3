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

// One Lectern stands for the three: what nginx makes of an answer does not depend on who gives it.
describeSites(
  'Behind nginx that keeps copies of pages, a site',
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
