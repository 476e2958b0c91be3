import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** What a program said and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Variables that this process happens to have must not reach a server under test. */
function cleanEnvironment(extra: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LECTERN_'));
  return { ...Object.fromEntries(own), ...extra };
}

/** Runs `lectern` until it ends by itself. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: cleanEnvironment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  return new SpawnedServer(child).ended;
}

/** The built program, as its users start it. */
export class SpawnedServer {
  private out = '';
  private errors = '';
  readonly ended: Promise<Ended>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => {
      this.out += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      this.errors += String(chunk);
    });
    this.ended = once(child, 'close').then(([code, signal]) => ({
      code,
      signal,
      stdout: this.out,
      stderr: this.errors,
    }));
  }

  /** Starts a server on a free port, and waits until it says its address. */
  static async start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<SpawnedServer & { url: string }> {
    const child = spawn(process.execPath, [MAIN, ...args, '--port', '0'], {
      env: cleanEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new SpawnedServer(child);
    const url = await server.address();
    return Object.assign(server, { url });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get stdout(): string {
    return this.out;
  }

  get stderr(): string {
    return this.errors;
  }

  /** Waits for the line with the server's address. */
  async address(): Promise<string> {
    for (;;) {
      const url = /(http:\/\/\S+:\d+)\/\n/.exec(this.out)?.[1];
      if (url !== undefined) return url;
      const more = this.child.stdout === null ? Promise.reject() : once(this.child.stdout, 'data');
      const ended = await Promise.race([more.then(() => undefined), this.ended]);
      if (ended !== undefined) throw new Error(`the server ended: ${ended.stderr}`);
    }
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }
}
