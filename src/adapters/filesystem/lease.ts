import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Disk, unless, writeNewFile } from './disk.js';

/** How often a running server touches its lease. */
const HEARTBEAT_MS = 15_000;
/** A lease of another machine that has not been touched for this long is dead. */
const SILENCE_MS = 60_000;

interface Owner {
  readonly host: string;
  /** Differs after a restart of the machine. */
  readonly boot: string;
  readonly pid: number;
  /** Tells a process from a later one with the same number. */
  readonly started: string;
}

/**
 * A file that says "this server is running". What a server makes in `.lectern` carries the id of its lease, so
 * another one, at its start, can tell what a crash left behind from what is just being made.
 */
export class Lease {
  private made = 0;
  private heartbeat: NodeJS.Timeout | undefined;

  private constructor(
    private readonly disk: Disk,
    private readonly file: string | undefined,
    readonly id: string,
  ) {}

  /** For a directory that cannot be written: nothing is ever left in it. */
  static unwritten(disk: Disk): Lease {
    return new Lease(disk, undefined, newId());
  }

  static async take(disk: Disk, directory: string): Promise<Lease> {
    const id = newId();
    const file = join(directory, id);
    const lease = new Lease(disk, file, id);
    await writeNewFile(disk, file, JSON.stringify(thisProcess()));
    lease.heartbeat = setInterval(() => {
      // The directory may be gone for a while; the next beat tries again.
      disk.utimes(file, new Date(), new Date()).catch(() => {});
    }, HEARTBEAT_MS).unref();
    return lease;
  }

  /** A name that nothing else has, and that tells whose it is. */
  nextName(): string {
    this.made += 1;
    return `${this.id}.${this.made}`;
  }

  /** Says that everything was left in order. */
  async giveBack(): Promise<void> {
    clearInterval(this.heartbeat);
    if (this.file !== undefined) await unless(['ENOENT'], this.disk.unlink(this.file));
  }
}

function newId(): string {
  return `${Date.now().toString(36)}-${randomBytes(5).toString('hex')}`;
}

/** The id of the lease under which `name` was made. */
export function leaseIdOf(name: string): string {
  return name.split('.', 1)[0] ?? '';
}

export interface FoundLease {
  readonly id: string;
  readonly file: string;
  readonly isAlive: boolean;
  /** When its server is known to have run, by the clock of the file system. */
  readonly lastSeenMs: number;
}

/** The leases of all servers on this docs directory, the crashed ones included. */
export async function findLeases(directory: string): Promise<readonly FoundLease[]> {
  const found: FoundLease[] = [];
  for (const id of await readdir(directory)) {
    const file = join(directory, id);
    const [text, facts] = await Promise.all([
      unless(['ENOENT'], readFile(file, 'utf8')),
      unless(['ENOENT'], stat(file)),
    ]);
    if (text === undefined || facts === undefined) continue;
    const silence = Date.now() - facts.mtimeMs;
    found.push({ id, file, isAlive: isAlive(text, silence), lastSeenMs: facts.mtimeMs });
  }
  return found;
}

function isAlive(text: string, silenceMs: number): boolean {
  let owner: Partial<Owner>;
  try {
    owner = JSON.parse(text) as Partial<Owner>;
  } catch {
    return false;
  }
  const self = thisProcess();
  // Containers have host names of their own, and process numbers that mean nothing to one another.
  if (owner.host !== self.host) return silenceMs < SILENCE_MS;
  return owner.boot === self.boot && typeof owner.pid === 'number' && startOf(owner.pid) === owner.started;
}

function thisProcess(): Owner {
  return { host: hostname(), boot: bootId(), pid: process.pid, started: startOf(process.pid) ?? '' };
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** When a process started, in clock ticks since boot (proc(5), field 22); undefined when there is no such process. */
function startOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold spaces.
    return line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return startWithoutProc(pid);
  }
}

function startWithoutProc(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return '';
  } catch {
    return undefined;
  }
}
