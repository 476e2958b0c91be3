import { openPromise } from 'yauzl';

/**
 * Whether a file ends as an archive does: with the central directory, all of whose entries are there, and the end record.
 * What was cut off ends elsewhere, or with those of an archive inside. Content is not looked at.
 */
export async function hasArchiveEnd(file: string): Promise<boolean> {
  let entries = 0;
  try {
    // Names stay bytes: whether they are good ones is for those who unpack it.
    const archive = await openPromise(file, { lazyEntries: true, decodeStrings: false });
    for await (const _ of archive.eachEntry()) entries += 1;
  } catch {
    return false;
  }
  return entries > 0;
}
