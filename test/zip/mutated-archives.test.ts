import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import { DEFAULT_ARCHIVE_LIMITS as limits } from '../../src/application/index.js';
import { Refusal } from '../../src/domain/index.js';
import { unicodePath, writeZip } from '../support/zip-writer.js';
import { filesBelow } from './unpacking.js';

/** 10,000 for a long run: `LECTERN_FUZZ_RUNS=10000`. */
const RUNS = Number(process.env.LECTERN_FUZZ_RUNS ?? 400);
const HANG_MS = 60_000;

const page = '<p>documentation '.repeat(40);
const ORIGINALS = [
  writeZip([
    { name: 'index.html', content: page },
    { name: 'guide/', content: '' },
    { name: 'guide/é.html', content: page, descriptor: 'signed' },
    { name: 'stored.bin', method: 0, content: 'stored', descriptor: 'unsigned' },
  ]),
  writeZip(
    [
      { name: 'docs/index.html', content: page, zip64: true },
      { name: 'docs/a\\b.html', content: 'x', extra: unicodePath('docs/a\\b.html', 'docs/a\\b.html') },
      { name: '__MACOSX/x', content: page },
    ],
    { zip64: {}, comment: Buffer.from('comment') },
  ),
];

type Mutation = (archive: Buffer) => Buffer;

const at = (archive: Buffer, place: number) => Math.floor(place * archive.length);
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const interesting = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0x2e, 0x2f, 0x5c, 0x50, 0x4b);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.oneof(interesting, fc.nat(255))).map(([where, byte]) => (archive: Buffer) => {
    archive[at(archive, where)] = byte;
    return archive;
  }),
  fc.tuple(place, fc.nat(7)).map(([where, bit]) => (archive: Buffer) => {
    const index = at(archive, where);
    archive[index] = archive[index]! ^ (1 << bit);
    return archive;
  }),
  fc
    .tuple(place, fc.constantFrom(0, 1, 0xffff, 0xffffffff, 0x7fffffff, 0x04034b50, 0x02014b50, 0x06054b50))
    .map(([where, word]) => (archive: Buffer) => {
      if (archive.length >= 4) archive.writeUInt32LE(word, Math.min(at(archive, where), archive.length - 4));
      return archive;
    }),
  place.map((where) => (archive: Buffer) => archive.subarray(0, at(archive, where))),
  fc.tuple(place, place).map(
    ([a, b]) =>
      (archive: Buffer) =>
        Buffer.concat([
          archive.subarray(0, at(archive, Math.min(a, b))),
          archive.subarray(at(archive, Math.max(a, b))),
        ]),
  ),
  fc.tuple(place, place, place).map(
    ([a, b, to]) =>
      (archive: Buffer) =>
        Buffer.concat([
          archive.subarray(0, at(archive, to)),
          archive.subarray(at(archive, Math.min(a, b)), at(archive, Math.max(a, b))),
          archive.subarray(at(archive, to)),
        ]),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 30 })).map(
    ([where, junk]) =>
      (archive: Buffer) =>
        Buffer.concat([archive.subarray(0, at(archive, where)), junk, archive.subarray(at(archive, where))]),
  ),
  // A name of the same length, in both headers.
  fc
    .constantFrom('../ex.html', '/ndex.html', 'C:dex.html', 'index\0html', 'i//ex.html')
    .map(
      (name) => (archive: Buffer) =>
        Buffer.from(archive.toString('latin1').replaceAll('index.html', name), 'latin1'),
    ),
);

describe('A mutated archive', () => {
  const archives = new ZipArchives();
  let root = '';
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'lectern-fuzz-'));
  });
  after(async () => {
    await archives.close();
    await rm(root, { recursive: true });
  });

  it(`is accepted or refused as a whole, ${RUNS} times`, async (test) => {
    const counts = { accepted: 0, refused: 0 };
    const property = fc.asyncProperty(
      fc.constantFrom(...ORIGINALS),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (original, mutations) => {
        const mutated = mutations.reduce<Buffer>((archive, mutate) => mutate(archive), Buffer.from(original));
        const within = await mkdtemp(join(root, 'run-'));
        const archiveFile = join(within, 'archive.zip');
        const siteDirectory = join(within, 'site');
        await writeFile(archiveFile, mutated);
        const outcome = await Promise.race([
          archives.unpack({ archiveFile, siteDirectory, limits }).catch((error) => error),
          new Promise((resolve) => setTimeout(resolve, HANG_MS, 'it hangs').unref()),
        ]);
        if (outcome instanceof Refusal) {
          assert.ok(['invalid_archive', 'archive_too_large'].includes(outcome.code), outcome.code);
          assert.deepEqual(await readdir(within), ['archive.zip']);
          counts.refused += 1;
        } else {
          assert.equal(typeof outcome?.facts?.site.files, 'number', String(outcome?.stack ?? outcome));
          assert.deepEqual((await readdir(within)).sort(), ['archive.zip', 'site']);
          assert.equal(Object.keys(await filesBelow(siteDirectory)).length, outcome.facts.site.files);
          counts.accepted += 1;
        }
        assert.deepEqual(
          (await readdir(root)).filter((name) => !name.startsWith('run-')),
          [],
          'something was written outside',
        );
        await rm(within, { recursive: true });
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    test.diagnostic(`${counts.accepted} accepted, ${counts.refused} refused`);
  });
});
