import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Archives, MAX_FAULTS, NO_ARCHIVE_LIMITS } from '../../../application/index.js';
import { Refusal, type Version } from '../../../domain/index.js';
import { ArchiveIndex } from '../../../formats/index.js';
import type { ObjectClient } from '../client/object-client.js';
import { keys, PREFIXES, revisionOfKey } from '../keys.js';

/** Age at which an archive without a commit is no upload under way, in milliseconds: the commit follows within seconds. */
const YOUNG_MS = 60 * 60 * 1000;

/**
 * Looks for archives that no commit names: of uploads that broke off, or of versions whose commit is lost.
 * @param now in milliseconds since 1970
 */
export async function unnamedArchives(
  client: ObjectClient,
  isNamed: (revision: string) => boolean,
  now: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key, size, modifiedAt } of client.list(PREFIXES.archives)) {
    const revision = revisionOfKey(key);
    if (revision === undefined || isNamed(revision) || modifiedAt.getTime() > now - YOUNG_MS) continue;
    found.push(`no commit names ${key} (${size} bytes, ${modifiedAt.toISOString()})`);
  }
  const more = found.length - MAX_FAULTS;
  return more > 0 ? [...found.slice(0, MAX_FAULTS), `and ${more} more`] : found;
}

export interface VerifyStoreOptions {
  readonly archives: Pick<Archives, 'index'>;
  /** Make indexes and the snapshot anew if they are missing or differ. Without it, nothing in the store is changed. */
  readonly repair: boolean;
  /** Local directory for one archive at a time. */
  readonly directory: string;
  /** Time of the check, in milliseconds since 1970; the present by default. */
  readonly now?: number;
  /** Ends the check early, with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** Faults of a version's objects. */
interface VersionFaults {
  readonly faults: readonly string[];
  /** The index to put in place of the stored one; undefined when that one is right, or the archive is not. */
  readonly index?: string;
}

/**
 * Compares a version's archive with the catalogue, and its index with the archive. Has one temporary file, which is
 * removed in any case.
 */
export async function checkVersion(
  client: ObjectClient,
  version: Version,
  { archives, directory, signal }: VerifyStoreOptions,
): Promise<VersionFaults> {
  const file = join(directory, `${version.revision}.zip`);
  try {
    const fault = await download(client, version, file, signal);
    if (fault !== undefined) return { faults: [fault] };
    const index = (await archives.index(file, NO_ARCHIVE_LIMITS)).index.toString();
    const difference = await compareIndex(client, version, index);
    return difference === undefined ? { faults: [] } : { faults: [difference], index };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Refusal && error.code === 'invalid_archive')) throw error;
    return { faults: [`its archive cannot be read: ${error.message}`] };
  } finally {
    await rm(file, { force: true });
  }
}

/** Downloads the archive of a version. @returns why it is not the one that was uploaded, as a sentence */
async function download(
  client: ObjectClient,
  { revision, record: { archive } }: Version,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const object = await client.get(keys.archive(revision), undefined, signal);
  if (object === undefined) return 'its archive is missing';
  if (object.size !== archive?.size) {
    await object.body[Symbol.asyncIterator]().return?.();
    return `its archive has ${object.size} bytes instead of ${archive?.size}`;
  }
  const hash = createHash('sha256');
  const hashed = async function* () {
    for await (const chunk of object.body) {
      hash.update(chunk);
      yield chunk;
    }
  };
  // Not a stream: one that fails while it opens its file may make the file after it was removed.
  await writeFile(file, hashed(), { flag: 'wx' });
  if (hash.digest('hex') === archive.sha256) return undefined;
  return 'its archive is not the uploaded one: the SHA-256 differs';
}

async function compareIndex(
  client: ObjectClient,
  { revision }: Version,
  wanted: string,
): Promise<string | undefined> {
  const object = await client.get(keys.index(revision));
  if (object === undefined) return 'its index is missing';
  const stored = (await buffer(object.body)).toString('utf8');
  if (stored === wanted) return undefined;
  return ArchiveIndex.parse(stored) === undefined
    ? 'its index is damaged'
    : 'its index does not belong to its archive';
}
