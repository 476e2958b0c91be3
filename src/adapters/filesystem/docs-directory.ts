import { access, constants, opendir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_PROJECTS, type Privacy } from '../../application/index.js';
import { refuse } from '../../domain/index.js';
import { syncDirectory } from '../../node/directories.js';
import { unless } from '../../node/system-errors.js';
import { type Disk, makeDirectories, NOTHING_THERE, writeAndMove, writeNewFile } from './disk.js';
import { Lease } from './housekeeping/lease.js';
import type { Layout } from './layout.js';
import type { Tools } from './tools.js';

/** Layout number of this program. */
const FORMAT = 2;
/** Uploads the versions of a docs directory again, each by its archive. */
const OLDER = `it has versions but no .lectern/format: an older layout, which this version does not support; start on an empty directory, then run in the old one, with LECTERN_URL and LECTERN_TOKEN set: for zip in *-docs.zip; do lectern push "$zip" --skip-existing; done`;

/**
 * Creates the docs directory and Lectern's own directories in it, where missing.
 * @returns whether the directory can be written; false only if `mayBeReadOnly`
 */
export async function makeUsable(
  disk: Disk,
  layout: Layout,
  mayBeReadOnly: boolean,
  privacy?: Privacy,
): Promise<boolean> {
  const { root } = layout;
  if ((await unless(['ENOENT'], stat(root))) === undefined) await makeDirectories(disk, [root]);
  // Only checks that it can be read; its entries are read later.
  await (await opendir(root)).close();
  await assertKnownFormat(layout, privacy);
  const made = unlessReadOnly(mayBeReadOnly, async () => {
    await access(root, constants.W_OK | constants.X_OK);
    await makeDirectories(disk, layout.directories);
    return true;
  });
  return (await made) ?? false;
}

/**
 * Makes the docs directory usable, and takes a lease on it.
 * @returns undefined when the directory cannot be written and `mayBeReadOnly` is set
 */
export async function prepare(
  disk: Disk,
  layout: Layout,
  mayBeReadOnly: boolean,
  privacy?: Privacy,
): Promise<Lease | undefined> {
  if (!(await makeUsable(disk, layout, mayBeReadOnly, privacy))) return undefined;
  return unlessReadOnly(mayBeReadOnly, () => Lease.take(disk, layout.running));
}

async function unlessReadOnly<T>(mayBeReadOnly: boolean, work: () => Promise<T>): Promise<T | undefined> {
  return mayBeReadOnly ? unless(['EACCES', 'EPERM', 'EROFS'], work()) : work();
}

/**
 * Creates Lectern's own directories again, if the docs directory has come back without them.
 * @throws Refusal `unavailable` when it is on another disk now: what is there is the place where its disk was mounted
 */
export async function recreateDirectories(tools: Tools): Promise<void> {
  const { disk, layout, lease, privacy } = tools;
  if ((await isThere(layout.running)) && (await isThere(layout.format))) return;
  const { dev } = await stat(layout.root, { bigint: true });
  if (lease.device !== undefined && dev !== lease.device) {
    const problem = `${layout.root} is on a different disk than at the start and has no .lectern: mount its disk, or restart the server`;
    throw refuse.storageUnavailable({ cause: new Error(problem) });
  }
  await makeDirectories(disk, layout.directories);
  if (!(await isThere(layout.format))) await writeFormat(tools, formatFor(privacy, undefined));
  await lease.renew();
}

/** Whether the file system takes `.LECTERN` for `.lectern`. */
export async function foldsCase({ root }: Layout): Promise<boolean> {
  return isThere(join(root, '.LECTERN'));
}

async function isThere(path: string): Promise<boolean> {
  return (await unless(NOTHING_THERE, stat(path))) !== undefined;
}

/** The number of a directory that has private projects. The layout is the same; who does not know the rules must not serve it. */
export const PRIVATE_FORMAT = 3;

/**
 * Refuses a docs directory whose layout is older or newer than this program, and one with private projects where their rules
 * are not known.
 * @returns the number of its layout; undefined where no version was ever published
 * @throws Error with a sentence for the user
 */
export async function assertKnownFormat(
  { format, sites }: Layout,
  privacy: Privacy = 'none',
): Promise<number | undefined> {
  // Before the number is read: another process may be starting, and writes it before it publishes.
  const hasVersions = await unless(NOTHING_THERE, hasEntries(sites));
  const text = await unless(NOTHING_THERE, readFile(format, 'utf8'));
  if (text === undefined) {
    if (hasVersions === true) throw new Error(OLDER);
    return undefined;
  }
  const number = /^\d{1,9}\n$/.test(text) ? Number(text) : undefined;
  if (number === FORMAT || (number === PRIVATE_FORMAT && privacy !== 'none')) return number;
  if (number === PRIVATE_FORMAT) throw new Error(PRIVATE_PROJECTS);
  throw new Error(
    number === undefined || number < FORMAT
      ? `its file .lectern/format is damaged: write the layout number into it, ${FORMAT}, or ${PRIVATE_FORMAT} with private projects`
      : `it has layout ${number}, but this version supports layouts up to ${PRIVATE_FORMAT} only; use a newer version of Lectern`,
  );
}

/** Returns the number that the layout of an open directory has. @param found the number that it had */
export function formatFor(privacy: Privacy, found: number | undefined): number {
  if (privacy === 'unserved') return found ?? FORMAT;
  return typeof privacy === 'object' || privacy === 'filled' ? PRIVATE_FORMAT : FORMAT;
}

/** Writes the layout number. */
export async function writeFormat(tools: Tools, number: number): Promise<void> {
  const { disk, layout } = tools;
  await writeAndMove(tools, layout.format, (coming) => writeNewFile(disk, coming, `${number}\n`));
  await syncDirectory(disk, layout.own);
}

async function hasEntries(directory: string): Promise<boolean> {
  const entries = await opendir(directory);
  try {
    return (await entries.read()) !== null;
  } finally {
    await entries.close();
  }
}
