import { constants, type FileHandle, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigFileError } from '../../node/config-file.js';
import { parseTokensFile } from './tokens-file.js';

/**
 * Changes a tokens file as a whole or not at all: a new file with the same owner and mode takes its place. Where the path
 * is a link, the file that it leads to is changed. Two changes at once exclude one another.
 * @param edit gets the text of the file, and returns the new one
 * @throws ConfigFileError when the file is invalid, or would be afterwards; EditedElsewhere; what `edit` throws; an error with
 *   an errno code
 */
export async function editTokensFile(path: string, edit: (text: string) => string): Promise<void> {
  const file = await realpath(path);
  const coming = `${file}.new`;
  // A pipe without a writer would be waited for.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new ConfigFileError(['the file: not a regular file, so it cannot be changed']);
    const { mode, uid, gid } = stats;
    // Whoever may read the file later must not read its new text earlier.
    const written = await open(coming, 'wx', 0o600).catch((error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? new EditedElsewhere(coming) : error;
    });
    try {
      await write(written, edited(handle, edit), { mode, uid, gid });
      await rename(coming, file);
    } catch (error) {
      await rm(coming, { force: true });
      throw error;
    }
  } finally {
    await handle.close();
  }
  await syncDirectory(dirname(file));
}

/** Another command changes the file, or one was killed meanwhile. */
export class EditedElsewhere extends Error {
  override readonly name = 'EditedElsewhere';

  constructor(coming: string) {
    super(
      `another command changes it, and nothing was changed; if there is none, one was killed: remove ${coming} and try again`,
    );
  }
}

async function edited(handle: FileHandle, edit: (text: string) => string): Promise<string> {
  const before = await handle.readFile('utf8');
  parseTokensFile(before);
  const after = edit(before);
  parseTokensFile(after);
  return after;
}

async function write(
  handle: FileHandle,
  text: Promise<string>,
  { mode, uid, gid }: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> {
  try {
    const content = await text;
    const own = await handle.stat();
    // The server has to be able to read it still, also when root has changed it.
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode & 0o7777);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
