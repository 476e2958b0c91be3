import { readFile } from 'node:fs/promises';
import { NOTHING_THERE, syncDirectory, unless, writeNewFile } from './disk.js';
import type { Layout } from './layout.js';
import { writeAndMove } from './move-into.js';
import type { Tools } from './tools.js';

/** Layout number of this program. Layout 1 has no such file, and no `public` and `locks`. */
const FORMAT = 2;

/**
 * Refuses a docs directory whose layout is newer than this program.
 * @returns whether its layout is this program's; false for an older one, which can be upgraded
 * @throws Error with a sentence for the user
 */
export async function assertKnownFormat({ format }: Layout): Promise<boolean> {
  const text = await unless(NOTHING_THERE, readFile(format, 'utf8'));
  if (text === undefined) return false;
  const number = /^\d{1,9}\n$/.test(text) ? Number(text) : undefined;
  if (number === FORMAT) return true;
  throw new Error(
    number === undefined
      ? `its file .lectern/format is damaged: it should hold the number of the layout, which is ${FORMAT}; write that into it`
      : `it has layout ${number}, and this program knows layouts up to ${FORMAT}; use a newer version of Lectern`,
  );
}

/** Writes the layout number: the last step of creating or upgrading a docs directory. */
export async function writeFormat(tools: Tools): Promise<void> {
  const { disk, layout } = tools;
  await writeAndMove(tools, layout.format, (coming) => writeNewFile(disk, coming, `${FORMAT}\n`));
  await syncDirectory(disk, layout.own);
}
