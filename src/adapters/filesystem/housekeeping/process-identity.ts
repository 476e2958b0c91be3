import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errnoOf } from '../../../node/system-errors.js';

/** The identity of a process, across machines, restarts and containers. */
interface ProcessIdentity {
  readonly host: string;
  /** Differs after a restart of the machine. */
  readonly boot: string;
  /** PID namespace: containers have process numbers of their own. */
  readonly namespace: string;
  readonly pid: number;
  /** Start time: a later process may have the same number. */
  readonly started: string;
  /** The inode of the directory of leases: a copy of the docs directory holds copied leases. */
  readonly directory: string;
}

/** `unknown`: the process cannot be checked from here; only its lease's renewals tell. */
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

/** The process that a lease's text names, as far as it does. */
export function ownerOf(text: string): Partial<ProcessIdentity> {
  return readOr({}, () => JSON.parse(text) ?? {});
}

/** The fate of a lease's owner, as far as `self` can tell. An owner that is no process is dead. */
export function fateOf(owner: Partial<ProcessIdentity>, self: ProcessIdentity, startedAs = startOf): Fate {
  if (typeof owner.pid !== 'number') return 'dead';
  if (owner.host !== self.host) return 'unknown';
  if (owner.boot !== self.boot || owner.directory !== self.directory) return 'dead';
  if (owner.namespace !== self.namespace) return 'unknown';
  const started = startedAs(owner.pid);
  // The process exists, but its start time is unknown: it may be the same one.
  return started === '' || (started !== undefined && started === owner.started) ? 'alive' : 'dead';
}

/** Whether a lease was written on this machine since it booted, so that no unwritten data was lost. */
export function isOfThisBoot({ host, boot }: Partial<ProcessIdentity>, self: ProcessIdentity): boolean {
  return boot !== '' && host === self.host && boot === self.boot;
}

/**
 * Start time of a process in clock ticks since boot (proc(5), field 22); empty when unknown, undefined for no process.
 */
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
    // EPERM: the process exists, and is another user's.
    return errnoOf(error) === 'EPERM' ? '' : undefined;
  }
}

function readOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
