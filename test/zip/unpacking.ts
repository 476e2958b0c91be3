import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { ZipArchives } from '../../src/adapters/zip/index.js';
import {
  type ArchiveContent,
  DEFAULT_ARCHIVE_LIMITS,
  type UnpackRequest,
} from '../../src/application/index.js';
import { Refusal, type RefusalCode } from '../../src/domain/index.js';
import { zipOf } from '../support/zip-writer.js';

/** Threads of all tests of a process; idle ones don't keep it alive. */
const archives = new ZipArchives();

/** Archives and a fresh place to unpack into, for the tests of one file. */
export function unpacking() {
  let directory = '';
  let count = 0;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lectern-zip-'));
  });
  after(() => rm(directory, { recursive: true }));

  /** A new directory below the one that is removed at the end. */
  const place = async () => mkdtemp(join(directory, `${count++}-`));
  const unpack = async (archive: Buffer, options: Partial<UnpackRequest> = {}) => {
    const within = await place();
    const archiveFile = join(within, 'archive.zip');
    const siteDirectory = join(within, 'site');
    await writeFile(archiveFile, archive);
    const request = { archiveFile, siteDirectory, limits: DEFAULT_ARCHIVE_LIMITS, ...options };
    return { within, siteDirectory, result: archives.unpack(request) };
  };

  return {
    archives,
    place,
    unpack,

    async accepts(archive: Buffer, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
      const { siteDirectory, result } = await unpack(archive);
      const { facts, hasIndex } = await result;
      const expected = Object.fromEntries(
        Object.entries(files).map(([path, content]) => [path, Buffer.from(content).toString('latin1')]),
      );
      assert.deepEqual(await filesBelow(siteDirectory), expected);
      const bytes = Object.values(expected).join('').length;
      assert.deepEqual(facts.site, { files: Object.keys(files).length, bytes });
      assert.equal(hasIndex, 'index.html' in files);
    },

    /** Returns what is found in a site, which has to be the same whether its archive is unpacked or only indexed. */
    async found<Found>(
      files: Readonly<Record<string, string>>,
      of: (content: ArchiveContent) => Found,
    ): Promise<Found> {
      const { within, result } = await unpack(zipOf(files));
      const unpacked = of(await result);
      const indexed = of(await archives.index(join(within, 'archive.zip'), DEFAULT_ARCHIVE_LIMITS));
      assert.deepEqual(unpacked, indexed);
      return unpacked;
    },

    /** Refused with exactly this sentence, and nothing is on disk but the archive itself. */
    async refuses(
      archive: Buffer,
      expected: { code?: RefusalCode; message: string; entry?: string | undefined },
      options: Partial<UnpackRequest> = {},
    ): Promise<void> {
      const { within, result } = await unpack(archive, options);
      const refusal = await result.then(
        () => assert.fail('the archive was accepted'),
        (error) => error,
      );
      assert.ok(refusal instanceof Refusal, String(refusal?.stack));
      assert.equal(refusal.message, expected.message);
      assert.equal(refusal.code, expected.code ?? 'invalid_archive');
      assert.equal(refusal.facts.entry, expected.entry);
      assert.deepEqual(await readdir(within), ['archive.zip']);
    },
  };
}

export type Unpacking = ReturnType<typeof unpacking>;

/** A hostile archive, named after what must be said of it. */
export interface HostileArchive {
  /** End of the message, after "The archive was refused: ", or "... entry '<entry>' " where an entry is named. */
  readonly says: string;
  readonly entry?: string;
  /** Defect of the archive. */
  readonly by: string;
  readonly archive: () => Buffer;
  readonly foldsCase?: boolean;
}

export function refusesAll(zip: Unpacking, table: readonly HostileArchive[]): void {
  for (const { says, entry, by, archive, foldsCase = false } of table) {
    it(`is refused: ${entry === undefined ? says : `an entry ${says}`} (${by})`, async () => {
      const subject = entry === undefined ? '' : `entry '${shown(entry)}' `;
      await zip.refuses(
        archive(),
        { message: `The archive was refused: ${subject}${says}`, entry },
        { foldsCase },
      );
    });
  }
}

/** A legal archive, however odd, and the files it must become to the byte. */
export interface OddArchive {
  readonly title: string;
  readonly archive: () => Buffer;
  readonly files: Readonly<Record<string, string | Buffer>>;
}

export function acceptsAll(zip: Unpacking, table: readonly OddArchive[]): void {
  for (const { title, archive, files } of table) it(title, () => zip.accepts(archive(), files));
}

/** Every file below `directory`, its bytes as latin1. */
export async function filesBelow(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return Object.fromEntries(
    await Promise.all(
      files.map(async (entry) => {
        const file = join(entry.parentPath, entry.name);
        return [file.slice(directory.length + 1), await readFile(file, 'latin1')] as const;
      }),
    ),
  );
}

/** Returns a name as `quote` shows it: cut, and with control characters made visible. */
function shown(name: string): string {
  const visible = name.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return visible.length > 200 ? `${visible.slice(0, 200)}…` : visible;
}
