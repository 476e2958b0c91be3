import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Archives, type Check, MAX_FAULTS } from '../../../application/index.js';
import { type PublicationRecord, parseDirectoryName, type VersionId } from '../../../domain/index.js';
import { errnoOf, unless } from '../../../node/system-errors.js';
import { parseRecord } from '../catalogue/read-generation.js';
import { makeDirectories, NOTHING_THERE, nodeDisk } from '../disk.js';
import { assertKnownFormat } from '../docs-directory.js';
import { type Generation, Layout } from '../layout.js';
import { GRACE_MS, toolsFor } from '../tools.js';
import { Lease } from './lease.js';
import { repairSite } from './repairs.js';

interface VerifyOptions {
  readonly archives: Pick<Archives, 'unpack' | 'verify'>;
  /** Unpack sites again that differ from their archives. */
  readonly repair: boolean;
  /** Grace period for readers of a damaged generation, in milliseconds; 5 s. */
  readonly graceMs?: number;
}

/**
 * Checks every uploaded version of a docs directory against its `version.json` and its archive. Servers may keep
 * running: a version that is published, replaced or deleted meanwhile has no faults.
 * @throws an error with an errno code when the directory cannot be read, or written while `repair` is set
 */
export async function* verifyDocs(directory: string, options: VerifyOptions): AsyncGenerator<Check> {
  const layout = new Layout(resolve(directory));
  await assertKnownFormat(layout, 'unserved');
  const names = (await readdir(layout.root)).filter((name) => parseDirectoryName(name) !== undefined).sort();
  if (options.repair) await makeDirectories(nodeDisk, layout.directories);
  const lease = options.repair ? await Lease.take(nodeDisk, layout.running) : Lease.unwritten(nodeDisk);
  const tools = toolsFor(nodeDisk, layout, lease, options);
  const { pointers, unused } = tools;
  let hasRepaired = false;
  try {
    for (const [index, directoryName] of names.entries()) {
      const counted = { name: directoryName, done: index + 1, total: names.length };
      const id = parseDirectoryName(directoryName);
      const current = await pointers.currentGeneration(directoryName);
      if (id === undefined || current === undefined) {
        yield { ...counted, faults: [], isRepaired: false };
        continue;
      }
      const generation = layout.generation(directoryName, current);
      const { faults, isArchiveGood } = await check(id, generation, options.archives);
      // Faults of a version that was replaced or deleted during the check do not count.
      const isStillThere = (await pointers.currentGeneration(directoryName)) === current;
      const isRepaired = isStillThere && options.repair && faults.length > 0 && isArchiveGood;
      if (isRepaired) {
        await repairSite(tools, options.archives, directoryName, generation);
        hasRepaired = true;
      }
      yield { ...counted, faults: isStillThere ? faults : [], isRepaired };
    }
    if (hasRepaired) await wait(options.graceMs ?? GRACE_MS);
  } finally {
    // Repaired sites may not be on disk yet: after a power cut, the lease makes the next start check them.
    if (await unused.close()) await lease.giveBack(!hasRepaired);
    else lease.stop();
  }
}

/** Compares the archive of a generation with its record, if that can be read. @returns a sentence for each difference */
export async function faultsOfArchive(
  directoryName: string,
  generation: Generation,
): Promise<readonly string[]> {
  const id = parseDirectoryName(directoryName);
  return checkArchive(generation, id && (await recordOf(id, generation)));
}

async function check(id: VersionId, generation: Generation, archives: Pick<Archives, 'verify'>) {
  const record = await recordOf(id, generation);
  const recordFaults = record === undefined ? ['its version.json is missing or damaged'] : [];
  const archiveFaults = await checkArchive(generation, record);
  if (archiveFaults.length > 0) return { faults: [...recordFaults, ...archiveFaults], isArchiveGood: false };
  const siteFaults = await archives
    .verify(generation.archive, generation.site, MAX_FAULTS)
    .catch((error: Error) => [`its archive cannot be read: ${error.message}`]);
  return { faults: [...recordFaults, ...siteFaults], isArchiveGood: record !== undefined };
}

async function recordOf(id: VersionId, { record }: Generation): Promise<PublicationRecord | undefined> {
  const text = await unless(NOTHING_THERE, readFile(record, 'utf8'));
  return text === undefined ? undefined : parseRecord(text, id);
}

/** Nothing repairs an archive: how it had its bytes compressed is in no other file. */
const WHAT_TO_DO = 'restore it from a backup, or publish the version again';

async function checkArchive(
  { archive }: Generation,
  record: PublicationRecord | undefined,
): Promise<readonly string[]> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(archive, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  } catch (error) {
    return [`its archive cannot be read (${errnoOf(error)}): ${archive}; ${WHAT_TO_DO}`];
  }
  if (record === undefined || hash.digest('hex') === record.archive.sha256) return [];
  return [`its archive is not the uploaded one, the SHA-256 differs: ${archive}; ${WHAT_TO_DO}`];
}
