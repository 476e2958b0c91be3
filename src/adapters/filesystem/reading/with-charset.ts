import { charsetOf } from '../../../node/charset-reader.js';
import { textKindOf } from '../../../node/content-type.js';
import type { LocalEntry } from './stored-file.js';

/** Bytes at the start of a file that are looked at. */
const MAX_BYTES = 1024 * 1024;

/** Tells the charset of an open file that no index has, by its bytes. Closes the file on failure. */
export async function withCharset(entry: LocalEntry, name: string): Promise<LocalEntry> {
  if (entry.kind === 'directory' || textKindOf(name) === undefined) return entry;
  const { file } = entry;
  try {
    file.charset = charsetOf(name, await file.start(MAX_BYTES), file.size > MAX_BYTES);
    return entry;
  } catch (error) {
    await file.close();
    throw error;
  }
}
