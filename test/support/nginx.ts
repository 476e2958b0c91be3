import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { skipUnless, succeeds } from './needs.js';
import { ROOT } from './root.js';
import { until } from './until.js';

/** Debian's is where the path of an ordinary user does not lead. */
const PROGRAM = existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx';
const CONFIG = join(ROOT, 'deploy/nginx/lectern.conf');

/** For the `skip` of tests that need nginx. */
export const needsNginx = skipUnless(await succeeds(PROGRAM, '-v'), 'there is no nginx here');

/** Replaces what a user of a configuration has to adapt, and fails where it is no longer there. */
export function adapted(config: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration no longer has '${from}'`);
    return text.replaceAll(from, to);
  }, config);
}

/** Debian's nginx with `deploy/nginx/lectern.conf`: port, docs directory and Lectern's address are all that is replaced. */
export class Nginx {
  private constructor(
    readonly url: string,
    /** What nginx has written into its error log. */
    readonly errors: () => string,
    readonly close: () => Promise<void>,
  ) {}

  /** @param change further replacements, such as a commented option that is to be tried */
  static async start(
    docs: string,
    lectern: string,
    change: Readonly<Record<string, string>> = {},
  ): Promise<Nginx> {
    const home = await mkdtemp(join(tmpdir(), 'lectern-nginx-'));
    const port = await freePort();
    const site = adapted(await readFile(CONFIG, 'utf8'), {
      'listen 80;': `listen 127.0.0.1:${port};`,
      '/srv/docs': docs,
      '127.0.0.1:8080': new URL(lectern).host,
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
      ${process.getuid?.() === 0 ? 'user root;' : ''}
      events { worker_connections 512; }
      http { ${temporary.join(' ')} access_log off; include ${home}/lectern.conf; }`,
    );
    const child = spawn(PROGRAM, ['-p', home, '-c', join(home, 'nginx.conf'), '-e', 'stderr'], {
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
      if (child.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
      return fetch(`${url}/api/version`).then(
        (answer) => answer.ok,
        () => false,
      );
    });
    return new Nginx(
      url,
      () => errors,
      async () => {
        child.kill('SIGTERM');
        await ended;
        process.off('exit', killed);
        await rm(home, { recursive: true, force: true });
      },
    );
  }
}
