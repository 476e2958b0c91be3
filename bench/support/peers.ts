import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/free-port.js';
import { type Running, startServer } from './processes.js';
import { temporaryDirectory } from './temporary.js';

const NODE_PEER = fileURLToPath(new URL('../peers/node-peer.ts', import.meta.url));
const DOCAT = fileURLToPath(new URL('../peers/docat.py', import.meta.url));

/** A server of the Node world on one core: a file server of `root`, or one that only says hello. */
export async function startNodePeer(
  kind: 'sirv' | 'koa-static' | 'koa',
  root: string,
  cores: string,
): Promise<Running> {
  const args = ['--import', import.meta.resolve('tsx'), NODE_PEER, kind, root];
  return startServer({ program: process.execPath, args, cores });
}

/** nginx as a distribution sets it up, with one worker, ready-made `.gz` files, and no log to write. */
export async function startNginx(root: string, cores: string): Promise<Running> {
  return startNginxWith(
    cores,
    (port) => `
      types { text/html html; text/javascript js; application/zip zip; application/octet-stream bin; }
      default_type application/octet-stream;
      sendfile on; tcp_nopush on; gzip_static on;
      server { listen 127.0.0.1:${port}; root ${root}; }`,
  );
}

const CONFIG = fileURLToPath(new URL('../../deploy/nginx/lectern.conf', import.meta.url));

/** The same with `deploy/nginx/lectern.conf`, in front of a Lectern; without TLS, which nginx alone has not either. */
export async function startNginxBefore(
  lectern: { docs: string; origin: string },
  cores: string,
): Promise<Running> {
  const site = readFileSync(CONFIG, 'utf8')
    .replaceAll('/srv/docs', lectern.docs)
    .replace('127.0.0.1:8080', new URL(lectern.origin).host)
    // The redirect has no part in this.
    .replace(/^server \{\n {4}listen 80;[^}]*\}\n/m, '')
    .replace(/^ *ssl_.*\n/gm, '');
  return startNginxWith(cores, (port) => site.replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`));
}

async function startNginxWith(cores: string, http: (port: number) => string): Promise<Running> {
  const home = temporaryDirectory('nginx');
  const port = await freePort();
  mkdirSync(join(home, 'temp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/temp/${name};`)
    .join(' ');
  const config = `
    daemon off; worker_processes 1; pid ${home}/pid; error_log stderr;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    events { worker_connections 1024; }
    http {
      ${temporary}
      access_log off; keepalive_requests 100000000;
      ${http(port)}
    }`;
  writeFileSync(join(home, 'nginx.conf'), config);
  return startServer({
    program: 'nginx',
    args: ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'],
    cores,
    port,
    env: { PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
  });
}

/** Undefined when Debian's FastAPI is not there. */
export async function startDocat(folder: string): Promise<Running | undefined> {
  const port = await freePort();
  const args = [DOCAT, folder, String(port)];
  return startServer({ program: '/usr/bin/python3', args, port, env: { TMPDIR: folder } }).catch(
    (error: unknown) => {
      console.error(`bench: no docat: ${(error as Error).message.trim().split('\n').at(-1)}`);
      console.error('bench: apt-get install -y python3-fastapi python3-uvicorn python3-multipart');
      return undefined;
    },
  );
}
