import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { JUDGED_SITES, type JudgedSite } from '../../test/judged/sites.js';
import { unpacked } from '../../test/judged/unpack.js';
import { ROOT } from '../../test/support/root.js';
import { type Lectern, startLectern } from '../support/lectern.js';
import {
  childrenOf,
  ownProcessorTimeOf,
  processorTimeWithEnded,
  run,
  untilIdle,
} from '../support/processes.js';
import { htmlOf } from '../support/site-files.js';

/** A real site, packed for an upload. */
export interface PackedSite {
  readonly project: string;
  readonly archive: string;
  readonly pages: number;
  /** Bytes of its pages, in MB. */
  readonly megabytes: number;
}

const ARCHIVES = join(ROOT, '.corpus', 'links');
/** Sites that no query is judged on. */
const OTHERS: readonly JudgedSite[] = [
  { project: 'csound', package: 'csound-doc', path: 'usr/share/doc/csound-doc/html' },
  { project: 'fltk', package: 'fltk1.3-doc', path: 'usr/share/doc/fltk1.3-doc/HTML' },
];

/** Links to other sites are looked up from ten seconds after the start on. */
const SETTLED_MS = 11_000;
const POLL_MS = 50;

export async function packedSite(project: string): Promise<PackedSite> {
  const site = [...JUDGED_SITES, ...OTHERS].find((each) => each.project === project);
  if (site === undefined) throw new Error(`there is no site ${project}`);
  const home = await unpacked(site);
  const archive = join(ARCHIVES, `${project}.zip`);
  mkdirSync(ARCHIVES, { recursive: true });
  // Debian's links into other packages lead nowhere here: zip leaves them out with a warning.
  if (!existsSync(archive)) await run('sh', ['-c', 'zip -q -r "$0" . || test $? = 18', archive], home);
  const pages = htmlOf(home);
  return {
    project,
    archive,
    pages: pages.length,
    megabytes: pages.reduce((sum, { size }) => sum + size, 0) / 1e6,
  };
}

export const CHECKS = { with: [], without: ['--no-link-check'] } as const;

/** Starts a server that has nothing to do any more. */
export async function startIdle(args: readonly string[]): Promise<Lectern> {
  const lectern = await startLectern({ args });
  await untilIdle(lectern.pid);
  return lectern;
}

/** Waits until a server that was started at a time has indexed an upload, the first since then, and looked up its links. */
export async function untilRead({ pid }: Lectern, startedAt: number): Promise<void> {
  // The indexing process has the lowest priority: it may get no processor for a while.
  while (hasNoChildYet(pid) || childrenOf(pid).length > 0) await sleep(POLL_MS);
  await sleep(Math.max(0, startedAt + SETTLED_MS - performance.now()));
  await untilIdle(pid);
}

function hasNoChildYet(pid: number): boolean {
  return processorTimeWithEnded(pid) === ownProcessorTimeOf(pid);
}
