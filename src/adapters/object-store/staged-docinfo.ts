import { type ByteRange, type ReadDocinfo, textOf } from '../../application/index.js';
import {
  DOCINFO_FILES,
  type DocinfoReading,
  docinfoTooLarge,
  MAX_DOCINFO_BYTES,
} from '../../domain/index.js';
import type { ArchiveIndex } from '../../formats/index.js';
import { ArchivedFile } from './archives/archived-file.js';
import type { ObjectStaging } from './object-staging.js';

/** Returns what the docinfo file of a staged archive says, or what is wrong with it. */
export async function stagedDocinfo(
  staging: ObjectStaging,
  index: ArchiveIndex,
  readDocinfo: ReadDocinfo | undefined,
): Promise<DocinfoReading> {
  const name = DOCINFO_FILES.find((each) => index.find(each) !== undefined);
  const file = name === undefined ? undefined : index.find(name);
  if (file === undefined) return {};
  if (file.size > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
  const archive = {
    revision: '',
    publishedAt: new Date(0),
    read: (range: ByteRange) => staging.read(range),
    distrust() {},
  };
  const text = await textOf(new ArchivedFile(archive, file).stream());
  const { docinfo, problem } = readDocinfo?.(text) ?? {};
  if (problem !== undefined) return { problem: `${name} ${problem}` };
  return docinfo === undefined ? {} : { docinfo };
}
