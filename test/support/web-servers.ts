import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { skipUnless, succeeds } from './needs.js';
import { needsNginx, startNginx } from './nginx.js';
import { ROOT } from './root.js';
import type { TestServer } from './server.js';
import { adapted, startWebServer, type WebServer } from './web-server.js';

/** A web server that `deploy/` has a configuration for. */
export interface KnownWebServer {
  readonly name: string;
  /** For the `skip` of tests that need it. */
  readonly needs: ReturnType<typeof skipUnless>;
  readonly start: (lectern: TestServer) => Promise<WebServer>;
}

export const NGINX: KnownWebServer = {
  name: 'nginx',
  needs: needsNginx,
  start: ({ docs, url }) => startNginx(docs, url),
};
export const APACHE: KnownWebServer = {
  name: 'Apache httpd',
  needs: skipUnless(await succeeds('/usr/sbin/apache2', '-v'), 'there is no Apache httpd here'),
  start: ({ docs, url }) => startApache(docs, url),
};
export const CADDY: KnownWebServer = {
  name: 'Caddy',
  needs: skipUnless(await succeeds('caddy', 'version'), 'there is no Caddy here'),
  start: ({ url }) => startCaddy(url),
};
export const WEB_SERVERS = [NGINX, APACHE, CADDY] as const;

/** Debian's Apache httpd with `deploy/apache/lectern.conf`: port, docs directory and Lectern's address are replaced. */
export async function startApache(docs: string, lectern: string): Promise<WebServer> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-apache-'));
  const port = await freePort();
  const site = adapted(await readFile(join(ROOT, 'deploy/apache/lectern.conf'), 'utf8'), {
    '*:80>': `127.0.0.1:${port}>`,
    '/srv/docs': docs,
    '127.0.0.1:8080': new URL(lectern).host,
  });
  const modules =
    'mpm_event authz_core mime dir env setenvif rewrite headers filter deflate proxy proxy_http';
  const config = [
    `ServerRoot ${home}`,
    'ServerName localhost',
    `PidFile ${home}/pid`,
    'ErrorLog "|/bin/cat >&2"',
    `Listen 127.0.0.1:${port}`,
    `DefaultRuntimeDir ${home}`,
    ...modules.split(' ').map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'TypesConfig /dev/null',
    // Its workers may be nobody else than who made the temporary directory.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    site,
  ];
  await writeFile(join(home, 'httpd.conf'), `${config.join('\n')}\n`);
  return startWebServer(home, port, '/usr/sbin/apache2', [
    '-f',
    join(home, 'httpd.conf'),
    '-D',
    'FOREGROUND',
  ]);
}

/** Caddy with `deploy/caddy/Caddyfile`: its name, which would ask for a certificate, and Lectern's address are replaced. */
export async function startCaddy(lectern: string): Promise<WebServer> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-caddy-'));
  const port = await freePort();
  const site = adapted(await readFile(join(ROOT, 'deploy/caddy/Caddyfile'), 'utf8'), {
    'docs.example.org {': `http://127.0.0.1:${port} {`,
    '127.0.0.1:8080': new URL(lectern).host,
  });
  await writeFile(join(home, 'Caddyfile'), `{\n\tadmin off\n}\n${site}`);
  return startWebServer(home, port, 'caddy', [
    'run',
    '--adapter',
    'caddyfile',
    '--config',
    join(home, 'Caddyfile'),
  ]);
}
