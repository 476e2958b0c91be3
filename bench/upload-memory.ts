/**
 * How much memory the server takes for an upload, by the size of the archive:
 *
 *     npm run build && node --import tsx bench/upload-memory.ts [10 100 300 1000]
 *
 * Each size, in MB, is uploaded three times: as files that do not compress, 1 MB each and stored, as files of 1 MB
 * each when deflated, and as one deflated file. Each has a server process of its own, with all limits out of the way.
 */
import { randomBytes } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LargeEntry, writeLargeZip } from '../test/support/large-zip.js';
import { ProcessMemory } from '../test/support/process-memory.js';
import { SpawnedServer } from '../test/support/spawned-server.js';

const MB = 1_000_000;
const noise = randomBytes(MB);
/** Deflates to one MB, more or less. */
const text = Buffer.from(randomBytes(MB).toString('base64'));

interface Measured {
  readonly idle: number;
  readonly peak: number;
  readonly seconds: number;
}

async function measure(entries: readonly LargeEntry[]): Promise<Measured> {
  const place = await mkdtemp(join(tmpdir(), 'lectern-memory-'));
  try {
    const archive = join(place, 'archive.zip');
    await writeLargeZip(archive, entries);
    const tokens = join(place, 'tokens.json');
    await writeFile(tokens, '{"tokens": {"bench": {"token": "secret"}}}');
    const unlimited = ['--max-upload-size', '10GiB', '--max-extracted-size', '10GiB', '--log-level', 'warn'];
    const server = await SpawnedServer.start(['-d', join(place, 'docs'), '--tokens', tokens, ...unlimited]);
    try {
      const memory = new ProcessMemory(server.pid);
      const idle = await memory.current();
      await memory.forgetPeak();
      const startedAt = performance.now();
      const form = new FormData();
      form.set('file', await openAsBlob(archive), 'large-1.0-docs.zip');
      const headers = { 'X-Token': 'secret' };
      const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers });
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
      return { idle, peak: await memory.peak(), seconds: (performance.now() - startedAt) / 1_000 };
    } finally {
      await server.stop();
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

function stored(megabytes: number): readonly LargeEntry[] {
  return Array.from({ length: megabytes }, (_, number) => {
    return { name: `part-${number}.bin`, block: noise, times: 1, method: 'stored' };
  });
}

function deflatedFiles(megabytes: number): readonly LargeEntry[] {
  return Array.from({ length: megabytes }, (_, number) => {
    return { name: `part-${number}.txt`, block: text, times: 1, method: 'deflated' };
  });
}

function deflated(megabytes: number): readonly LargeEntry[] {
  return [{ name: 'whole.txt', block: text, times: megabytes, method: 'deflated' }];
}

function inMb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

async function main(wanted: readonly string[]): Promise<void> {
  if (!ProcessMemory.isMeasurable) throw new Error('only Linux tells how much memory a process took');
  const sizes = wanted.length > 0 ? wanted.map(Number) : [10, 100, 300, 1_000];
  const table = sizes.flatMap((size) => [
    { archive: `${size} MB, ${size} files, stored`, entries: stored(size) },
    { archive: `${size} MB, ${size} files, deflated`, entries: deflatedFiles(size) },
    { archive: `${size} MB, one file, deflated`, entries: deflated(size) },
  ]);
  for (const { archive, entries } of table) {
    const { idle, peak, seconds } = await measure(entries);
    console.log(
      [
        archive.padEnd(32),
        `idle ${inMb(idle)}`.padEnd(13),
        `peak ${inMb(peak)}`.padEnd(13),
        `above idle ${inMb(peak - idle)}`.padEnd(20),
        `${seconds.toFixed(1)} s`,
      ].join(' '),
    );
  }
}

await main(process.argv.slice(2));
