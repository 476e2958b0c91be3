import { readFile } from 'node:fs/promises';
import { PRIVATE_PROJECTS, type Privacy } from '../../application/index.js';
import { syncDirectory } from '../../node/sync-file.js';
import { unless } from '../../node/system-errors.js';
import { NOTHING_THERE, writeNewFile } from './disk.js';
import type { Layout } from './layout.js';
import { writeAndMove } from './move-into.js';
import type { Tools } from './tools.js';

/** Layout number of this program. Layout 1 has no such file, and no `public` and `locks`. */
const FORMAT = 2;
/** The number of a directory that has private projects. The layout is the same; who does not know the rules must not serve it. */
export const PRIVATE_FORMAT = 3;

/**
 * Refuses a docs directory whose layout is newer than this program, and one with private projects where their rules are not
 * known.
 * @returns the number of its layout; undefined for an older one, which can be upgraded
 * @throws Error with a sentence for the user
 */
export async function assertKnownFormat(
  { format }: Layout,
  privacy: Privacy = 'none',
): Promise<number | undefined> {
  const text = await unless(NOTHING_THERE, readFile(format, 'utf8'));
  if (text === undefined) return undefined;
  const number = /^\d{1,9}\n$/.test(text) ? Number(text) : undefined;
  if (number === FORMAT || (number === PRIVATE_FORMAT && privacy !== 'none')) return number;
  if (number === PRIVATE_FORMAT) throw new Error(PRIVATE_PROJECTS);
  throw new Error(
    number === undefined
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
