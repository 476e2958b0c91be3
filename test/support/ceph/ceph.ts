import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { skipUnless, succeeds } from '../needs.js';
import { ROOT } from '../root.js';
import { until } from '../until.js';

const SCRIPT = join(ROOT, 'test/support/ceph/cluster.sh');
const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'];
const programsAreThere = await succeeds(
  'sh',
  '-c',
  `PATH=$PATH:/usr/sbin; for each in ${PROGRAMS.join(' ')}; do command -v $each || exit 1; done`,
);

/** For the `skip` of tests that need Ceph. */
export const needsCeph = skipUnless(
  programsAreThere,
  'there is no Ceph here: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw',
);

/** A running Ceph cluster: three OSDs, and two gateways that speak S3. */
export interface Ceph {
  /** Addresses of the gateways. */
  readonly endpoints: readonly [string, string];
  readonly accessKey: string;
  readonly secretKey: string;
}

export type Daemon = 'mon.a' | 'osd.0' | 'osd.1' | 'osd.2' | 'rgw.1' | 'rgw.2';

/** A cluster of one test's own, whose daemons it may kill. */
export interface OwnCeph extends Ceph {
  /** `kill -9`. */
  readonly kill: (daemon: Daemon) => Promise<void>;
  /** Stops a daemon in its tracks: connections stay open, and nothing is answered. */
  readonly pause: (daemon: Daemon) => Promise<void>;
  readonly resume: (daemon: Daemon) => Promise<void>;
  /** Starts a killed daemon again. An OSD has its data only with `bluestore`. */
  readonly start: (daemon: Daemon) => Promise<void>;
  /** Ends the cluster, and removes its data. */
  readonly stop: () => Promise<void>;
}

/** Under `node --test`, the runner, which outlives the processes of the files; otherwise this process. */
const runner = process.env.NODE_TEST_CONTEXT === undefined ? process.pid : process.ppid;
let shared: Promise<Ceph> | undefined;

/**
 * The cluster that all files of one run of the tests share. It ends with the run. Objects are in memory, once: nobody kills its
 * OSDs.
 */
export function sharedCeph(): Promise<Ceph> {
  shared ??= startIn(join(tmpdir(), `lectern-ceph-${runner}`), runner, { copies: 1 });
  return shared;
}

/** Starts a cluster for one test, or one file of tests. It ends with this process, if nobody stops it before. */
export async function startCeph(
  options: {
    /** Default `memstore`: an OSD that is killed has lost its copies. */
    readonly store?: 'memstore' | 'bluestore';
  } = {},
): Promise<OwnCeph> {
  const directory = await mkdtemp(join(tmpdir(), 'lectern-ceph-'));
  const ceph = await startIn(directory, process.pid, options);
  const signal = async (daemon: Daemon, name: NodeJS.Signals) => {
    process.kill(Number(await readFile(join(directory, `${daemon}.pid`), 'utf8')), name);
  };
  return {
    ...ceph,
    kill: async (daemon) => {
      await signal(daemon, 'SIGKILL');
      const pid = await readFile(join(directory, `${daemon}.pid`), 'utf8');
      await until(() => hasEnded(pid.trim()));
    },
    pause: (daemon) => signal(daemon, 'SIGSTOP'),
    resume: (daemon) => signal(daemon, 'SIGCONT'),
    start: async (daemon) => void (await promisify(execFile)(SCRIPT, ['run', directory, daemon])),
    stop: async () => void (await promisify(execFile)(SCRIPT, ['stop', directory])),
  };
}

/** Returns whether all threads of a process have ended, so that its port and its locks are free. A zombie may be left. */
async function hasEnded(pid: string): Promise<boolean> {
  const program = await readlink(`/proc/${pid}/exe`).catch(() => undefined);
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  return program === undefined && threads.length < 2;
}

async function startIn(
  directory: string,
  owner: number,
  /** `copies`: how many OSDs have a copy of each object. */
  { store = 'memstore', copies = 2 }: { readonly store?: 'memstore' | 'bluestore'; readonly copies?: 1 | 2 },
): Promise<Ceph> {
  const env = { ...process.env, STORE: store, COPIES: String(copies) };
  const { stdout } = await promisify(execFile)(SCRIPT, ['start', directory, String(owner)], { env });
  return JSON.parse(stdout);
}
