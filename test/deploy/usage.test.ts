import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { FilesystemUsageStore } from '../../src/adapters/filesystem/index.js';
import { countLogs } from '../../src/composition/counting.js';
import { mergedUsage, type ProjectUsage } from '../../src/domain/index.js';
import { needsNginx, startNginx } from '../support/nginx.js';
import { TestServer } from '../support/server.js';
import { until } from '../support/until.js';
import { APACHE, startApache } from '../support/web-servers.js';

const ALL = { from: '2000-01-01', to: '2100-01-01' };
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) "quoted" Gecko/20100101';
const LARGE = 'x'.repeat(1_200_000);

for (const [name, needs, start] of [
  [
    'nginx',
    needsNginx,
    (docs: string, url: string, log: string) =>
      startNginx(docs, url, {
        '# access_log /var/log/nginx/lectern-own.log': `access_log ${log}`,
      }),
  ],
  [
    'Apache httpd',
    APACHE.needs,
    (docs: string, url: string, log: string) =>
      startApache(docs, url, { '# CustomLog /var/log/apache2/lectern-own.log': `CustomLog ${log}` }),
  ],
] as const) {
  describe(`Reads behind ${name}`, needs, () => {
    it('count once, whoever sends the page, without addresses in the log', async () => {
      const home = await mkdtemp(join(tmpdir(), 'lectern-test-'));
      const counts = join(home, 'counts');
      const log = join(home, 'own.log');
      const store = new FilesystemUsageStore(counts);
      const lectern = await TestServer.start({
        trustProxy: true,
        usage: store,
        cacheBytes: 0,
        ...(name === 'nginx' ? { accelRedirect: '/-/files/' } : {}),
      });
      // Others than the one who made it are to read it.
      await chmod(lectern.docs, 0o755);
      const front = await start(lectern.docs, lectern.url, log).catch(async (error: unknown) => {
        await lectern.close();
        throw error;
      });
      try {
        const server = lectern.reachedAt(front.url);
        const page = {
          'index.html': 'front',
          'guide/index.html': 'guide',
          'a b.html': 'odd',
          'large.html': LARGE,
        };
        await server.upload('tool-1.0-docs.zip', { ...page, 'style.css': 'p{}' });
        const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
          const response = await fetch(front.url + path, {
            method,
            headers: { 'User-Agent': BROWSER, ...headers },
            redirect: 'manual',
          });
          await response.arrayBuffer();
          return response;
        };
        const etag = (await ask('/tool-1.0/')).headers.get('etag') ?? '';
        assert.equal((await ask('/tool-1.0/', { 'If-None-Match': etag })).status, 304);
        await ask('/tool-latest/guide/');
        await ask('/tool-1.0/a%20b.html?q=secret');
        // Lectern answers, or names the file: its own path in an odd spelling, a weighted encoding, a page without its ending.
        await ask('/tool-1.0/large', { 'Accept-Encoding': 'identity' });
        await ask('/tool-1.0/large.html', { 'Accept-Encoding': 'identity;q=1, *;q=0' });
        await ask('/tool-1.0/a%20b');
        // Nothing of this counts.
        await ask('/tool-1.0/style.css');
        await ask('/tool-1.0/', {}, 'HEAD');
        await ask('/tool-1.0/', { 'User-Agent': 'Googlebot/2.1' });
        await ask('/tool-1.0/guide');
        // A miss.
        await ask('/tool-1.0/nope.html');
        await until(async () => (await readFile(log, 'utf8')).includes('Googlebot'));
        await lectern.saveUsage();
        const request = { docs: lectern.docs, usage: { directory: counts }, basePath: '', logs: [log] };
        for (let round = 0; round < 2; round++) {
          for await (const counted of countLogs(request)) {
            assert.equal(counted.unreadable, 0);
            assert.ok(counted.reads >= 4, String(counted.reads));
          }
        }
        let usage: ProjectUsage = new Map();
        for await (const { usages } of store.read('tool', ALL)) usage = mergedUsage(usages);
        assert.deepEqual(Object.fromEntries(usage.get('1.0')?.reads.paths ?? []), {
          'index.html': 2,
          'guide/index.html': 1,
          'a b.html': 2,
          'large.html': 2,
        });
        assert.deepEqual(Object.fromEntries(usage.get('1.0')?.misses.paths ?? []), { 'nope.html': 1 });
        assert.doesNotMatch(await readFile(log, 'utf8'), /127\.0\.0\.1|::1/);
      } finally {
        await front.close();
        await lectern.close();
        await rm(home, { recursive: true });
      }
    });
  });
}
