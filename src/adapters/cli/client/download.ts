import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { archiveNameOf, parseArchiveName } from '../../../domain/index.js';
import { ClientError, localError, PassingFailure } from './client-error.js';

export interface Download {
  readonly file: string;
  /** Whether an existing file is replaced; otherwise it is an error. */
  readonly mayReplace: boolean;
  /** Called with the bytes so far and the total, if the server gave it. */
  readonly onReceived?: ((done: number, total: number | undefined) => void) | undefined;
}

/** ETag of an uploaded archive. A proxy that compresses makes it weak, or appends what it did. */
const SHA256 = /^(?:W\/)?"([0-9a-f]{64})(?:-[a-z]+)?"$/;

/** The archive's SHA-256 as the server announces it; undefined when it does not. */
export function announcedSha256({ headers }: Response): string | undefined {
  return SHA256.exec(headers.get('etag') ?? '')?.[1];
}

/** Returns the server's name for the archive. Other names are refused, as they could overwrite any file. */
export function announcedName({ headers }: Response): string {
  const header = headers.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)"?/i.exec(header)?.[1] ?? '';
  try {
    return archiveNameOf(parseArchiveName(name).directoryName);
  } catch {
    throw new ClientError(
      'refused',
      'The server sent no usable file name for the archive: choose one with -o',
    );
  }
}

/**
 * Writes a response body to a file atomically, once it is known to be whole: by its hash, its length, or as an archive.
 * @throws PassingFailure when the body broke off; ClientError when its hash is wrong or the file cannot be written
 */
export async function saveTo(
  response: Response,
  { file, mayReplace, onReceived }: Download,
): Promise<{ readonly file: string; readonly bytes: number }> {
  if (!mayReplace && existsSync(file)) {
    await response.body?.cancel();
    throw new ClientError(
      'usage',
      `${file} already exists; choose another file with -o, or name this one to replace it`,
    );
  }
  const part = `${file}.${randomUUID()}.part`;
  const failed = (error: unknown) => {
    throw localError(file, error);
  };
  try {
    const { bytes, sha256 } = await write(response, part, { onReceived, failed });
    const expected = announcedSha256(response);
    if (expected !== undefined && expected !== sha256) {
      throw new ClientError(
        'refused',
        `The downloaded archive is damaged: its SHA-256 is ${sha256}, expected ${expected}`,
      );
    }
    if (expected === undefined && !response.headers.has('content-length')) await assertWhole(part);
    await rename(part, file).catch(failed);
    return { file, bytes };
  } finally {
    await rm(part, { force: true });
  }
}

/** @throws PassingFailure when a file does not end as an archive does: it may have been cut off by the end of the connection */
async function assertWhole(file: string): Promise<void> {
  if (await hasArchiveEnd(file)) return;
  throw new PassingFailure(
    'The download is incomplete or not an archive: the server sent neither length nor hash, and the end of the archive is missing',
    { isInDoubt: true },
  );
}

/**
 * Whether a file ends as an archive does: with the central directory, all of whose entries are there, and the end record.
 * A file that was cut off ends elsewhere, or with the directory and record of an archive inside. Content is not checked.
 */
async function hasArchiveEnd(file: string): Promise<boolean> {
  // Loaded only here: hardly any download comes without both a length and a hash.
  const { openPromise } = await import('yauzl');
  let entries = 0;
  try {
    // Names stay bytes: programs that unpack the archive check them.
    const archive = await openPromise(file, { lazyEntries: true, decodeStrings: false });
    for await (const _ of archive.eachEntry()) entries += 1;
  } catch {
    return false;
  }
  return entries > 0;
}

async function write(
  response: Response,
  part: string,
  { onReceived, failed }: Pick<Download, 'onReceived'> & { readonly failed: (error: unknown) => never },
) {
  const total = Number(response.headers.get('content-length')) || undefined;
  const handle = await open(part, 'wx').catch(failed);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const piece of piecesOf(response)) {
      await handle.writeFile(piece).catch(failed);
      hash.update(piece);
      bytes += piece.length;
      onReceived?.(bytes, total);
    }
  } finally {
    await handle.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function* piecesOf(response: Response): AsyncIterable<Uint8Array> {
  if (response.body === null) return;
  try {
    for await (const piece of response.body) yield piece;
  } catch (error) {
    throw new PassingFailure('The download was interrupted', { isInDoubt: true, cause: error });
  }
}
