import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadDocinfo } from '../../application/index.js';
import {
  DOCINFO_FILES,
  type DocinfoReading,
  docinfoTooLarge,
  MAX_DOCINFO_BYTES,
} from '../../domain/index.js';
import { errnoOf, NOTHING_THERE, RUN_SHORT, unless } from './disk.js';

/**
 * Reads the first docinfo file that stands at the root of a site. A broken one is ignored.
 * @throws only when the process has run short of something: that says nothing of the file
 */
export async function readDocinfoFile(siteDirectory: string, read: ReadDocinfo): Promise<DocinfoReading> {
  for (const name of DOCINFO_FILES) {
    try {
      const text = await readStart(join(siteDirectory, name));
      if (text === undefined) continue;
      if (text.length > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
      const { docinfo, problem } = read(text.toString('utf8'));
      if (problem !== undefined) return { problem: `${name} ${problem}` };
      return docinfo === undefined ? {} : { docinfo };
    } catch (error) {
      if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
      return { problem: `${name} cannot be read` };
    }
  }
  return {};
}

/** At most one byte more than is allowed; undefined when there is no regular file. */
async function readStart(file: string): Promise<Buffer | undefined> {
  const handle = await unless(NOTHING_THERE, open(file));
  if (handle === undefined) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_DOCINFO_BYTES + 1), { position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
