import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { runKept } from './kept.js';
import { MAIN, ROOT } from './root.js';

/** Output of a program, and how it ended. */
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

/** A command that takes longer is stuck. */
const MAX_RUNNING_MS = 60_000;

/** Runs `lectern` until it ends by itself. */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = ROOT): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: cleanEnvironment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: MAX_RUNNING_MS,
  });
  return new SpawnedServer(child).ended;
}

/** Runs `lectern` until it ends by itself, in the process of an earlier call where there was one for its command. */
export async function runAgain(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = ROOT,
): Promise<Omit<Ended, 'signal'>> {
  const { code, stdout, stderr } = await runKept({ args, cwd, env: cleanEnvironment(env) }, () =>
    run(args, env, cwd),
  );
  return { code, stdout, stderr };
}

/** A start that takes longer is stuck. */
const MAX_STARTING_MS = 60_000;

/** Started here and not ended yet: none outlives the process of its test. */
const alive = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});
// The runner ends a file that takes too long, and there is no `exit` then.
process.once('SIGTERM', () => process.exit(143));

/** The built program, as its users start it. */
export class SpawnedServer {
  private out = '';
  private errors = '';
  private readonly end: Promise<Ended>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => {
      this.out += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      this.errors += String(chunk);
    });
    alive.add(child);
    this.end = once(child, 'close').then(([code, signal]) => {
      alive.delete(child);
      return { code, signal, stdout: this.out, stderr: this.errors };
    });
  }

  /**
   * Starts a server on a free port, and waits until it says its address.
   * @param main the built program, or a copy of it
   */
  static async start(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    main = MAIN,
  ): Promise<SpawnedServer & { url: string }> {
    const child = spawn(process.execPath, [main, ...args, '--port', '0'], {
      env: cleanEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new SpawnedServer(child);
    const url = await server.address();
    server.keepsWaiting(false);
    return Object.assign(server, { url });
  }

  /** Resolves when it has ended, by itself or by `stop`. */
  get ended(): Promise<Ended> {
    this.keepsWaiting(true);
    return this.end;
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
    const [, url = ''] = await this.says(/(http:\/\/\S+:\d+)\/\n/);
    return url;
  }

  /** Waits for a text on its standard output: resolves with the chunk that completes it. */
  async says(text: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const said = text.exec(this.out);
      if (said !== null) return said;
      const more = this.child.stdout === null ? Promise.reject() : once(this.child.stdout, 'data');
      const timer = setTimeout(() => this.child.kill('SIGKILL'), MAX_STARTING_MS);
      const ended = await Promise.race([more.then(() => undefined), this.end]);
      clearTimeout(timer);
      if (ended !== undefined) throw new Error(`the program ended: ${ended.stderr}`);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal);
    return this.ended;
  }

  /** Whether this process waits for it: a test that fails before its `stop` must not wait for ever. */
  private keepsWaiting(waits: boolean): void {
    const pipes = [this.child.stdout, this.child.stderr].map((pipe) => pipe as Socket | null);
    for (const handle of [this.child, ...pipes]) {
      if (waits) handle?.ref();
      else handle?.unref();
    }
  }
}
