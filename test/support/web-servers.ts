import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { ROOT } from './root.js';
import { adapted, startWebServer, type WebServer } from './web-server.js';

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
