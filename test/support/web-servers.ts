import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { adapted } from './nginx.js';
import { ROOT } from './root.js';
import { until } from './until.js';

/** A web server with a configuration from `deploy/`, in front of a Lectern. */
export interface WebServer {
  readonly url: string;
  close(): Promise<void>;
}

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
  return started(home, port, '/usr/sbin/apache2', ['-f', join(home, 'httpd.conf'), '-D', 'FOREGROUND']);
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
  return started(home, port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', join(home, 'Caddyfile')]);
}

async function started(
  home: string,
  port: number,
  program: string,
  args: readonly string[],
): Promise<WebServer> {
  const child = spawn(program, args, {
    env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, 'close');
  const killed = () => child.kill('SIGKILL');
  process.once('exit', killed);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${errors}`);
    return fetch(`${url}/api/version`).then(
      (answer) => answer.ok,
      () => false,
    );
  });
  return {
    url,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', killed);
      await rm(home, { recursive: true, force: true });
    },
  };
}
