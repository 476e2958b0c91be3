import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.js';
import { freePort } from './free-port.js';
import { skipUnless, succeeds } from './needs.js';
import { needsNginx, startNginx } from './nginx.js';
import { ROOT } from './root.js';
import type { TestServer } from './server.js';
import { adapted, startWebServer, type TlsWebServer, type WebServer } from './web-server.js';

/** A web server that `deploy/` has a configuration for. */
export interface KnownWebServer<Started extends WebServer = WebServer> {
  readonly name: string;
  /** Options of tests that need it, which are skipped without it. */
  readonly needs: ReturnType<typeof skipUnless>;
  readonly start: (lectern: TestServer) => Promise<Started>;
}

export const NGINX: KnownWebServer<TlsWebServer> = {
  name: 'nginx',
  needs: needsNginx,
  start: ({ docs, url }) => startNginx(docs, url),
};
export const APACHE: KnownWebServer<TlsWebServer> = {
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

/**
 * Debian's Apache httpd with `deploy/apache/lectern.conf`: ports, certificate, docs directory and Lectern's address are
 * replaced. The part for port 443 is there a second time, without TLS.
 *
 * @param change further replacements, such as a commented option that is to be tried
 * @param more further modules
 */
export async function startApache(
  docs: string,
  lectern: string,
  change: Readonly<Record<string, string>> = {},
  more: readonly string[] = [],
): Promise<TlsWebServer> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-apache-'));
  const [port, plainPort, securePort] = await Promise.all([freePort(), freePort(), freePort()]);
  const certificate = await makeCertificate(home);
  const site = adapted(await readFile(join(ROOT, 'deploy/apache/lectern.conf'), 'utf8'), {
    '*:80>': `127.0.0.1:${plainPort}>`,
    '*:443>': `127.0.0.1:${securePort}>`,
    '/etc/ssl/docs.pem': certificate.file,
    '/etc/ssl/docs.key': certificate.key,
    '/srv/docs': docs,
    '127.0.0.1:8080': new URL(lectern).host,
    ...change,
  });
  const withoutTls = adapted(site.slice(site.indexOf(`<VirtualHost 127.0.0.1:${securePort}>`)), {
    [`127.0.0.1:${securePort}>`]: `127.0.0.1:${port}>`,
    'SSLEngine on': 'SSLEngine off',
  });
  const modules =
    'mpm_event authz_core mime dir env setenvif rewrite headers filter deflate proxy proxy_http ssl http2';
  const config = [
    `ServerRoot ${home}`,
    'ServerName localhost',
    `PidFile ${home}/pid`,
    'ErrorLog "|$/bin/cat >&2"',
    ...[port, plainPort, securePort].map((each) => `Listen 127.0.0.1:${each}`),
    `DefaultRuntimeDir ${home}`,
    ...[...modules.split(' '), ...more].map(
      (name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`,
    ),
    'TypesConfig /dev/null',
    // Other distributions than Debian have this option.
    'AddDefaultCharset UTF-8',
    // The workers cannot change to another user than the one that made the temporary directory, unless that is root.
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    site,
    withoutTls,
  ];
  await writeFile(join(home, 'httpd.conf'), `${config.join('\n')}\n`);
  const args = ['-f', join(home, 'httpd.conf'), '-D', 'FOREGROUND'];
  const server = await startWebServer(home, port, '/usr/sbin/apache2', args);
  return { ...server, securePort, plainPort, certificate: certificate.pem };
}

/**
 * Caddy with `deploy/caddy/Caddyfile`: its name, which would ask for a certificate, and Lectern's address are replaced.
 * @param change further replacements
 */
export async function startCaddy(
  lectern: string,
  change: Readonly<Record<string, string>> = {},
): Promise<WebServer> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-caddy-'));
  const port = await freePort();
  const site = adapted(await readFile(join(ROOT, 'deploy/caddy/Caddyfile'), 'utf8'), {
    'docs.example.org {': `http://:${port} {`,
    '127.0.0.1:8080': new URL(lectern).host,
    ...change,
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
