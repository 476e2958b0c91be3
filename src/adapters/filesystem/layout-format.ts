import { opendir, readFile } from 'node:fs/promises';
import { PRIVATE_PROJECTS, type Privacy } from '../../application/index.js';
import { syncDirectory } from '../../node/sync-file.js';
import { unless } from '../../node/system-errors.js';
import { NOTHING_THERE, writeNewFile } from './disk.js';
import type { Layout } from './layout.js';
import { writeAndMove } from './move-into.js';
import type { Tools } from './tools.js';

/** Layout number of this program. */
const FORMAT = 2;
/** The number of a directory that has private projects. The layout is the same; who does not know the rules must not serve it. */
export const PRIVATE_FORMAT = 3;

/** Uploads the versions of a docs directory again, each by its archive. */
const OLDER = `it has versions, and no .lectern/format: an older layout, which this program does not read; start it on an empty directory, and run in this one, with LECTERN_URL and LECTERN_TOKEN: for zip in *-docs.zip; do lectern push "$zip" --skip-existing; done`;

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
      ? `its file .lectern/format is damaged: it should hold the number of the layout, which is ${FORMAT}, or ${PRIVATE_FORMAT} with private projects; write that into it`
      : `it has layout ${number}, and this program knows layouts up to ${PRIVATE_FORMAT}; use a newer version of Lectern`,
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
