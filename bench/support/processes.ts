import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atExit } from './cleanup.js';

const MAX_START_MS = 60_000;

/** A server that this process started, and ends. */
export interface Running {
  readonly pid: number;
  /** `http://127.0.0.1:4711` */
  readonly origin: string;
  /** Time from the start of the process to its message that it listens. */
  readonly readyMs: number;
  stop(): Promise<void>;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** The processors it may run on; see `CORES`. */
  readonly cores?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For a program that doesn't say where it listens. */
  readonly port?: number;
}

/** Starts a server and waits until it listens: it says so with its address, or its `port` answers. */
export async function startServer({ program, args, cores, env, port }: Command): Promise<Running> {
  const startedAt = performance.now();
  const [command, ...rest] =
    cores === undefined ? [program, ...args] : ['taskset', '-c', cores, program, ...args];
  const child = spawn(command, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    // A group of its own, so that nginx's worker goes with its master.
    detached: true,
  });
  atExit(() => killGroup(child));
  const origin = port === undefined ? await addressIn(child) : await listening(child, port);
  const readyMs = performance.now() - startedAt;
  return { pid: child.pid ?? 0, origin, readyMs, stop: () => end(child) };
}

/**
 * Lowers a server's priority to the lowest. Linux shares processors among sessions first where autogroups are on
 * (sched(7)), and then niceness counts within one session only.
 */
export async function lowerPriority(pid: number): Promise<void> {
  for (const thread of readdirSync(`/proc/${pid}/task`)) await run('renice', ['19', '-p', thread]);
  const autogroup = `/proc/${pid}/autogroup`;
  if (existsSync(autogroup)) writeFileSync(autogroup, '19');
}

/** Starts a program that does nothing but count, at the lowest priority. Returns what ends it. */
export async function startCounting(): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['--eval', 'for (;;);'], { detached: true, stdio: 'ignore' });
  atExit(() => killGroup(child));
  await once(child, 'spawn');
  await lowerPriority(child.pid ?? 0);
  return () => end(child);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => killGroup(child), 10_000);
  await gone;
  clearTimeout(late);
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

/** Reads everything the server says, and gives the first address in it. */
function addressIn(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`no address from the server: ${said}`)), MAX_START_MS);
    const listen = (chunk: Buffer) => {
      if (said.length < 10_000) said += chunk.toString();
      const address = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}

async function listening(child: ChildProcess, port: number): Promise<string> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout?.resume();
  for (let waited = 0; waited < MAX_START_MS; waited += 10) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${said}`);
    const socket = createConnection(port, '127.0.0.1');
    const answered = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (answered) return `http://127.0.0.1:${port}`;
    await sleep(10);
  }
  throw new Error(`nothing listens on port ${port}: ${said}`);
}

/** Runs a command to its end, and fails when it does. */
export async function run(program: string, args: readonly string[], cwd = '/'): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  atExit(() => child.kill('SIGKILL'));
  let said = '';
  let complained = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${complained}`);
  return said;
}

/** Memory of a process in MB: what it has now, and the most it had since `forgetPeak`. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: fieldOf(status, 'VmRSS') / 1000, peak: fieldOf(status, 'VmHWM') / 1000 };
}

/** proc(5): 5 sets the peak to the present value. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/**
 * Milliseconds of processor time that a process and its children have taken, all of their threads together (utime and
 * stime of proc(5), 100 ticks a second). Steady where rates are not: it leaves out what others take of the machine.
 */
export function processorTimeOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + ownProcessorTimeOf(one), 0);
}

/** The same without the children. */
export function ownProcessorTimeOf(pid: number): number {
  const [own] = ticksOf(pid);
  return 10 * own;
}

/** The same, with ended children instead of running ones: cutime and cstime of proc(5). */
export function processorTimeWithEnded(pid: number): number {
  const [own, ended] = ticksOf(pid);
  return 10 * (own + ended);
}

/** Ticks that a process has taken, and the children for which it has waited. */
function ticksOf(pid: number): [number, number] {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return [utime + stime, cutime + cstime];
}

/** Waits until a process and its children have nothing to do: no processor time that shows, 10 ms, for half a second. */
export async function untilIdle(pid: number): Promise<void> {
  let before = Number.NaN;
  for (;;) {
    const now = processorTimeOf(pid);
    // Less than before: a child has ended.
    if (now === before) return;
    before = now;
    await sleep(500);
  }
}

/** Processes that the main thread of a process has started. */
export function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/** Number of voluntary context switches of a process's threads: each time, something had woken them. */
export function sleepsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`)
    .map((thread) => readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'))
    .reduce((sum, status) => sum + fieldOf(status, 'voluntary_ctxt_switches'), 0);
}

/** Sizes are in kB there, 1024 bytes each. */
function fieldOf(status: string, name: string): number {
  const [, number, unit] = new RegExp(`^${name}:\\s*(\\d+)( kB)?`, 'm').exec(status) ?? [];
  return Number(number) * (unit === undefined ? 1 : 1.024);
}
