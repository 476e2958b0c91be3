import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The identity of a process, across machines, restarts and containers. */
export interface ProcessIdentity {
  readonly host: string;
  /** Differs after a restart of the machine. */
  readonly boot: string;
  /** The namespace of process numbers: containers have numbers of their own. */
  readonly namespace: string;
  readonly pid: number;
  /** Tells a process from a later one with the same number. */
  readonly started: string;
  /** The inode of the directory of leases: a copy of the docs directory holds copied leases. */
  readonly directory: string;
}

/** `unknown`: nothing tells from here, other than whether the lease goes on being renewed. */
export type Fate = 'alive' | 'dead' | 'unknown';

export function thisProcess(directory: string): ProcessIdentity {
  return {
    host: hostname(),
    boot: readOr('', () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: readOr('', () => readlinkSync('/proc/self/ns/pid')),
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    directory,
  };
}

/** The fate of the process that wrote a lease's text, as far as `self` can tell. A text that names no process is dead. */
export function fateOf(text: string, self: ProcessIdentity): Fate {
  let owner: Partial<ProcessIdentity>;
  try {
    owner = JSON.parse(text) as Partial<ProcessIdentity>;
  } catch {
    return 'dead';
  }
  if (typeof owner?.pid !== 'number') return 'dead';
  if (owner.host !== self.host) return 'unknown';
  if (owner.boot !== self.boot || owner.directory !== self.directory) return 'dead';
  if (owner.namespace !== self.namespace) return 'unknown';
  const started = startOf(owner.pid);
  // There is a process, and its start cannot be read: it may well be the one.
  return started === '' || (started !== undefined && started === owner.started) ? 'alive' : 'dead';
}

/** Whether the machine has run on since, so that nothing it had in memory was lost. */
export function isOfThisBoot(text: string, self: ProcessIdentity): boolean {
  return readOr(false, () => {
    const { host, boot } = JSON.parse(text) as Partial<ProcessIdentity>;
    return boot !== '' && host === self.host && boot === self.boot;
  });
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
  } catch (error) {
    // Another user's process is a process, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined;
  }
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
