import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { ArchiveLimits } from '../../application/ports/archives.js';
import { quote } from '../../domain/refusal.js';
import type { ArchiveEntry } from './archive-entry.js';
import { ArchiveReader } from './archive-reader.js';
import { readCentralDirectory } from './central-directory.js';
import { topDirectoryOf } from './site-layout.js';

/** The archive was accepted before; today's limits say nothing about it. */
const NO_LIMITS: ArchiveLimits = {
  mostExtractedBytes: Number.POSITIVE_INFINITY,
  mostFiles: Number.POSITIVE_INFINITY,
  mostRatio: Number.POSITIVE_INFINITY,
};

/**
 * Compares a site with the headers of its archive: nothing is inflated.
 * @returns a sentence for each difference, at most `most` of them.
 */
export async function verify(archiveFile: string, siteDirectory: string, most: number): Promise<string[]> {
  const expected = await expectedFiles(archiveFile);
  const differences: string[] = [];
  for (const [path, entry] of expected) {
    if (differences.length >= most) return differences;
    const difference = differenceOf(`${siteDirectory}/${path}`, entry);
    if (difference !== undefined) differences.push(`${quote(path)} ${difference}`);
  }
  if (!existsSync(siteDirectory)) return differences;
  for (const path of pathsBelow(siteDirectory)) {
    if (differences.length >= most) return differences;
    if (!expected.has(path)) differences.push(`${quote(path)} is not in the archive`);
  }
  return differences;
}

async function expectedFiles(archiveFile: string): Promise<Map<string, ArchiveEntry>> {
  const archive = new ArchiveReader(archiveFile);
  try {
    const { entries } = await readCentralDirectory(archive, NO_LIMITS, false);
    const files = entries.filter(({ kind }) => kind === 'file');
    const top = topDirectoryOf(files);
    return new Map(files.map((entry) => [entry.path.slice(top.length), entry]));
  } finally {
    archive.closeFile();
  }
}

function differenceOf(file: string, { size, crc32: crc }: ArchiveEntry): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 'is missing';
  if (!stats.isFile()) return 'is not a file';
  if (stats.size !== size) return `has ${stats.size} bytes instead of ${size}`;
  return crcOf(file) === crc ? undefined : 'has other content';
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

/** Everything below `root` but directories. */
function* pathsBelow(root: string, directory = ''): Generator<string> {
  for (const item of readdirSync(`${root}/${directory}`, { withFileTypes: true })) {
    const path = directory === '' ? item.name : `${directory}/${item.name}`;
    if (item.isDirectory()) yield* pathsBelow(root, path);
    else yield path;
  }
}
