import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.js';
import { freePort } from './free-port.js';
import { skipUnless, succeeds } from './needs.js';
import { ROOT } from './root.js';
import { adapted, startWebServer, type TlsWebServer } from './web-server.js';

/** Debian's is where the path of an ordinary user does not lead. */
const PROGRAM = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
const CONFIG = join(ROOT, 'deploy/nginx/lectern.conf');
const OBJECT_STORE_CONFIG = join(ROOT, 'deploy/nginx/object-store.conf');

/** The lines of `lectern.conf` that add the version switcher to every page, no comments any more. */
export const WITH_SWITCHER = {
  '# add_after_body': 'add_after_body',
  '    # location = /-/switcher-tag {\n    #     internal;\n    #     default_type text/html;\n    #     return 200':
    '    location = /-/switcher-tag {\n internal;\n default_type text/html;\n return 200',
  "\\n';\n    # }": "\\n';\n    }",
};

/** For the `skip` of tests that need nginx. */
export const needsNginx = skipUnless(await succeeds(PROGRAM, '-v'), 'there is no nginx here');

/**
 * Debian's nginx with `deploy/nginx/lectern.conf`: ports, certificate, docs directory and Lectern's address are all that
 * is replaced.
 *
 * @param change further replacements, such as a commented option that is to be tried
 * @param under command that starts nginx with fewer rights, its workers as www-data; by default they are those of the test
 */
export async function startNginx(
  docs: string,
  lectern: string,
  change: Readonly<Record<string, string>> = {},
  under: readonly string[] = [],
): Promise<TlsWebServer> {
  return start(CONFIG, { '/srv/docs': docs, '127.0.0.1:8080': new URL(lectern).host, ...change }, under);
}

/** Debian's nginx with `deploy/nginx/object-store.conf`, in front of three Lecterns. */
export async function startNginxOfThree(
  lecterns: readonly [string, string, string],
  change: Readonly<Record<string, string>> = {},
): Promise<TlsWebServer & { readonly home: string }> {
  const hosts = lecterns.map((url, index) => [`lectern-${index + 1}:8080`, new URL(url).host]);
  const port = await freePort();
  return start(OBJECT_STORE_CONFIG, {
    ...Object.fromEntries(hosts),
    '127.0.0.1:8079': `127.0.0.1:${port}`,
    '    8079 ': `    ${port} `,
    '/var/cache/lectern': 'cache',
    ...change,
  });
}

/**
 * Starts nginx with a configuration of `deploy/nginx`, in an http block that has a charset, as those of many servers.
 * @param change what is replaced beside ports and certificate
 */
async function start(
  config: string,
  change: Readonly<Record<string, string>>,
  under: readonly string[] = [],
): Promise<TlsWebServer & { readonly home: string }> {
  const home = await mkdtemp(join(tmpdir(), 'lectern-nginx-'));
  const [port, plainPort, securePort] = await Promise.all([freePort(), freePort(), freePort()]);
  const certificate = await makeCertificate(home);
  const site = adapted(await readFile(config, 'utf8'), {
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443 ssl http2;': `listen 127.0.0.1:${securePort} ssl http2; listen 127.0.0.1:${port};`,
    '/etc/ssl/docs.pem': certificate.file,
    '/etc/ssl/docs.key': certificate.key,
    ...change,
  });
  await writeFile(join(home, 'lectern.conf'), site);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  );
  await mkdir(join(home, 'logs'));
  await writeFile(
    join(home, 'nginx.conf'),
    `daemon off; worker_processes 2; pid ${home}/pid; error_log stderr notice;
    ${process.getuid?.() === 0 ? `user ${under.length === 0 ? 'root' : 'www-data'};` : ''}
    events { worker_connections 512; }
    http { ${temporary.join(' ')} access_log off; charset utf-8; include ${home}/lectern.conf; }`,
  );
  const [program = '', ...args] = [
    ...under,
    PROGRAM,
    '-p',
    home,
    '-c',
    join(home, 'nginx.conf'),
    '-e',
    'stderr',
  ];
  const server = await startWebServer(home, port, program, args);
  return { ...server, home, securePort, plainPort, certificate: certificate.pem };
}
