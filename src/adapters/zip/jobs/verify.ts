import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { NO_ARCHIVE_LIMITS } from '../../../application/ports/archives.js';
import { quote } from '../../../domain/refusal/refusal.js';
import { type ArchiveEntry, topDirectoryOf } from '../reading/archive-entry.js';
import { ArchiveReader } from '../reading/archive-reader.js';
import { readCentralDirectory } from '../reading/central-directory.js';

/**
 * Compares a site with the headers of its archive, without inflating anything.
 * @returns a sentence for each difference, at most `max` of them
 */
export async function verify({
  archiveFile,
  siteDirectory,
  max,
}: {
  readonly archiveFile: string;
  readonly siteDirectory: string;
  readonly max: number;
}): Promise<string[]> {
  const archive = new ArchiveReader(archiveFile);
  try {
    const differences: string[] = [];
    for (const difference of differencesOf(await expectedFiles(archive), siteDirectory)) {
      if (differences.length >= max) break;
      differences.push(difference);
    }
    return differences;
  } finally {
    archive.closeFile();
  }
}

type Expected = ReadonlyMap<string, ArchiveEntry>;

function* differencesOf(expected: Expected, siteDirectory: string): Generator<string> {
  for (const [path, entry] of expected) {
    const difference = differenceOf(`${siteDirectory}/${path}`, entry);
    if (difference !== undefined) yield `${quote(path)} ${difference}`;
  }
  for (const path of existsSync(siteDirectory) ? pathsBelow(siteDirectory) : []) {
    if (!expected.has(path)) yield `${quote(path)} is not in the archive`;
  }
}

async function expectedFiles(archive: ArchiveReader): Promise<Expected> {
  const directory = await readCentralDirectory(archive, NO_ARCHIVE_LIMITS, false);
  const files = directory.entries.filter(({ kind }) => kind === 'file');
  const top = topDirectoryOf(files);
  return new Map(files.map((entry) => [entry.path.slice(top.length), entry]));
}

function differenceOf(file: string, { size, crc32: crc }: ArchiveEntry): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'is missing';
  if (!stats.isFile()) return 'is not a file';
  if (stats.size !== size) return `has ${stats.size} bytes instead of ${size}`;
  return crcOf(file) === crc ? undefined : 'has different content';
}

const chunk = Buffer.allocUnsafeSlow(256 * 1024);

function crcOf(file: string): number {
  const fd = openSync(file, 'r');
  try {
    let crc = 0;
    for (let length = readSync(fd, chunk); length > 0; length = readSync(fd, chunk)) {
      crc = crc32(chunk.subarray(0, length), crc);
    }
    return crc;
  } finally {
    closeSync(fd);
  }
}

/** Yields the paths of everything below `root` but directories. */
function* pathsBelow(root: string, directory = ''): Generator<string> {
  for (const item of readdirSync(`${root}/${directory}`, { withFileTypes: true })) {
    const path = directory === '' ? item.name : `${directory}/${item.name}`;
    if (item.isDirectory()) yield* pathsBelow(root, path);
    else yield path;
  }
}
