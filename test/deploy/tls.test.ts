import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate } from '../support/certificate.js';
import { skipUnless } from '../support/needs.js';
import { needsNginx } from '../support/nginx.js';
import { ROOT } from '../support/root.js';
import { TestServer } from '../support/server.js';
import { adapted, type TlsWebServer } from '../support/web-server.js';
import { APACHE, NGINX } from '../support/web-servers.js';

const NAME = 'docs.example.org';

for (const { name, needs, start } of [NGINX, APACHE]) {
  describe(`The configuration of ${name} for TLS`, needs, () => {
    let lectern: TestServer;
    let front: TlsWebServer;
    before(async () => {
      lectern = await TestServer.start({ trustProxy: true, origin: `https://${NAME}` });
      await chmod(lectern.docs, 0o755);
      front = await start(lectern);
      await lectern.upload('tool-1.0-docs.zip', { 'index.html': 'front', '.hidden.html': 'secret' });
      await writeFile(join(lectern.docs, 'notes.txt'), 'secret');
    });
    after(async () => {
      await front.close();
      await lectern.close();
    });

    /** An answer over HTTP/1.1 and TLS, from a server that has to be docs.example.org. */
    async function secureGet(path: string, maxVersion: 'TLSv1.1' | 'TLSv1.3' = 'TLSv1.3') {
      const tls = { ca: front.certificate, servername: NAME, minVersion: 'TLSv1', maxVersion } as const;
      // Below this level OpenSSL offers the old versions at all.
      const ciphers = 'DEFAULT@SECLEVEL=0';
      const at = { host: '127.0.0.1', port: front.securePort, path, headers: { Host: NAME }, agent: false };
      const sent = request({ ...at, ...tls, ciphers }).end();
      const [answer] = await once(sent, 'response');
      return { status: answer.statusCode as number, body: await text(answer) };
    }

    it('serves pages and the API over TLS', async () => {
      assert.deepEqual(await secureGet('/tool-1.0/'), { status: 200, body: 'front' });
      assert.equal((await secureGet('/api/projects')).status, 200);
      assert.match((await secureGet('/api/help')).body, /https:\/\/docs\.example\.org\/api\/upload/);
    });

    it('speaks no TLS before 1.2', async () => {
      await assert.rejects(secureGet('/tool-1.0/', 'TLSv1.1'), /alert|protocol|version|reset|hang up/i);
    });

    it('speaks HTTP/2, and serves only versions at paths of any form', async () => {
      const session = connectHttp2(`https://127.0.0.1:${front.securePort}`, {
        ca: front.certificate,
        servername: NAME,
      });
      const get = async (path: string) => {
        const stream = session.request({ ':path': path, ':authority': NAME });
        const answer = once(stream, 'response').then(([headers]) => headers[':status'] as number);
        // A form that is no request may end its stream without an answer.
        return Promise.all([answer, text(stream)]).catch(() => [0, ''] as const);
      };
      assert.deepEqual(await get('/tool-1.0/'), [200, 'front']);
      const wrong: unknown[] = [];
      for (const path of ['/notes.txt', '/tool-1.0/.hidden.html', '/.lectern/running/']) {
        for (const form of [
          path,
          `http://${NAME}${path}`,
          `https://${NAME}${path}`,
          `//${NAME}${path}`,
          `/${path}`,
          path.slice(1),
          `\\${path}`,
          `/tool-1.0/..${path}`,
          `/tool-1.0/%2e%2e${path}`,
          `/tool-1.0/..%2f${path.slice(1)}`,
          `${path}?x`,
          `${path}#x`,
          `${path} x`,
          '*',
        ]) {
          const [status, body] = await get(form);
          if (body.includes('secret') || status === 200 || status >= 500) wrong.push([form, status]);
        }
      }
      assert.deepEqual(wrong, []);
      session.close();
    });

    it('redirects plain HTTP to the same path with TLS, and serves nothing else there', async () => {
      const plain = lectern.reachedAt(`http://127.0.0.1:${front.plainPort}`);
      for (const path of [
        '/',
        '/tool-1.0/?a=b%20c',
        '/api/projects',
        '/a%2Fb',
        '/notes.txt',
        '//evil.example/x',
      ]) {
        const { status, head } = await plain.rawGet(path);
        assert.equal(status, 308, path);
        assert.match(
          head,
          new RegExp(`^location: https://${NAME}${path.replace(/[.?]/g, '\\$&')}\\r?$`, 'im'),
        );
      }
      const upload = await fetch(`${plain.url}/api/upload`, {
        method: 'POST',
        body: 'x',
        redirect: 'manual',
      });
      assert.deepEqual([upload.status, upload.headers.get('location')], [308, `https://${NAME}/api/upload`]);
      const before = lectern.log.length;
      const { status, body } = await plain.rawGet(`http://evil.example/notes.txt`);
      assert.ok(status === 308 || status === 400);
      assert.ok(!body.includes('secret') && !body.includes('evil.example'));
      assert.equal(lectern.log.length, before);
    });
  });
}

const needsRoot = skipUnless(process.getuid?.() === 0, 'only root may take the ports 80 and 443');

describe('The shipped configuration of nginx', { ...needsNginx, ...needsRoot }, () => {
  it('loads without a warning given its certificate', async (t) => {
    const home = await mkdtemp(join(tmpdir(), 'lectern-nginx-'));
    t.after(() => rm(home, { recursive: true, force: true }));
    const { file, key } = await makeCertificate(home);
    const site = adapted(await readFile(join(ROOT, 'deploy/nginx/lectern.conf'), 'utf8'), {
      '/etc/ssl/docs.pem': file,
      '/etc/ssl/docs.key': key,
    });
    await writeFile(join(home, 'lectern.conf'), site);
    await writeFile(
      join(home, 'nginx.conf'),
      `pid ${home}/pid; events {} http { include ${home}/lectern.conf; }`,
    );
    const args = ['-t', '-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'];
    const { stderr } = await promisify(execFile)('/usr/sbin/nginx', args);
    assert.match(stderr, /test is successful/);
    assert.doesNotMatch(stderr, /\[(?:warn|error|crit|alert|emerg)\]/);
  });
});
