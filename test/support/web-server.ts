import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { until } from './until.js';

/** A web server with a configuration from `deploy/`, in front of a Lectern. */
export interface WebServer {
  readonly url: string;
  /** Returns all that it has written to stderr. */
  readonly errors: () => string;
  /** Ends it, and removes its home. */
  readonly close: () => Promise<void>;
}

/** A web server whose TLS is in its configuration from `deploy/`. At `url` it answers without TLS what it answers with. */
export interface TlsWebServer extends WebServer {
  /** Port in place of 443. */
  readonly securePort: number;
  /** Port in place of 80. */
  readonly plainPort: number;
  /** The certificate of docs.example.org, in PEM, which signs itself. */
  readonly certificate: string;
}

/** Replaces the texts of a configuration that its users have to adapt, and fails if one is no longer there. */
export function adapted(config: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the configuration no longer has '${from}'`);
    return text.replaceAll(from, to);
  }, config);
}

/** Starts it, and waits until Lectern can be reached through it. */
export async function startWebServer(
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
    // A server that has no workers takes connections, and answers nobody.
    return fetch(`${url}/api/version`, { signal: AbortSignal.timeout(5_000) }).then(
      (answer) => answer.ok,
      () => false,
    );
  }).catch((error) => {
    killed();
    throw new Error(`${program} cannot be reached: ${errors}`, { cause: error });
  });
  return {
    url,
    errors: () => errors,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', killed);
      await rm(home, { recursive: true, force: true });
    },
  };
}
