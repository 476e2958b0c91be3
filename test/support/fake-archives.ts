import { mkdirSync, writeFileSync } from 'node:fs';
import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  IndexedArchive,
  ReadDocinfo,
  UnpackRequest,
} from '../../src/application/index.js';
import { refuse } from '../../src/domain/index.js';
import { ArchiveIndex } from '../../src/formats/index.js';
import { charsetOf } from '../../src/node/content-type.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Stands in for YAML: the first line is the name; a line `broken` is a problem. */
export const firstLineDocinfo: ReadDocinfo = (text) =>
  text.startsWith('broken') ? { problem: 'is broken' } : { docinfo: { name: text.split('\n')[0] ?? '' } };

/** Takes every archive for one of the files that it was given; or fails. */
export class FakeArchives implements Archives {
  beforeUnpacking: () => Promise<unknown> = async () => {};
  /** Number of archives that it was told to expect. */
  expected = 0;

  /** Limits of the last archive that it was given. */
  limits: ArchiveLimits | undefined;

  constructor(private readonly outcome: Files | Error) {}

  expect(): void {
    this.expected += 1;
  }

  async unpack({ siteDirectory, indexFile, limits }: UnpackRequest) {
    this.limits = limits;
    await this.beforeUnpacking();
    const files = this.filesWithin(limits);
    // Some tests have many thousands of files: a promise for each takes longer than the file.
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(siteDirectory, path)), { recursive: true });
      writeFileSync(join(siteDirectory, path), text);
    }
    if (indexFile !== undefined) await writeFile(indexFile, indexOf(files).toString());
    return contentOf(files);
  }

  async index(_archiveFile: string, limits: ArchiveLimits): Promise<IndexedArchive> {
    const files = this.filesWithin(limits);
    return { ...contentOf(files), index: indexOf(files) };
  }

  async verify(_archiveFile: string, siteDirectory: string, most?: number): Promise<readonly string[]> {
    const files = this.outcome instanceof Error ? {} : this.outcome;
    const found = await readdir(siteDirectory, { recursive: true, withFileTypes: true });
    const paths = found
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(siteDirectory.length + 1));
    const differences: string[] = [];
    for (const path of new Set([...Object.keys(files), ...paths])) {
      const text = await readFile(join(siteDirectory, path), 'utf8').catch(() => undefined);
      if (text !== files[path]) differences.push(`'${path}' differs`);
    }
    return differences.slice(0, most);
  }

  async pack(siteDirectory: string, archiveFile: string): Promise<void> {
    await access(siteDirectory);
    await writeFile(archiveFile, 'packed', { flag: 'wx' });
  }

  async close(): Promise<void> {}

  private filesWithin({ maxFiles, maxExtractedBytes }: ArchiveLimits): Files {
    if (this.outcome instanceof Error) throw this.outcome;
    const [count, bytes] = [Object.keys(this.outcome).length, bytesOf(this.outcome)];
    if (count > maxFiles)
      throw refuse.archiveTooLarge({ setting: 'files', limit: maxFiles, met: count, unit: 'files' });
    if (bytes > maxExtractedBytes) {
      const limit = maxExtractedBytes;
      throw refuse.archiveTooLarge({ setting: 'extracted_size', limit, met: bytes, unit: 'bytes' });
    }
    return this.outcome;
  }
}

/** The bytes of an archive whose index is right: one file after the other. */
export const fakeArchiveOf = (files: Files): Uint8Array =>
  Buffer.concat(Object.values(files).map((content) => Buffer.from(content)));

const bytesOf = (files: Files) =>
  Object.values(files).reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function contentOf(files: Files): ArchiveContent {
  const { 'docinfo.yaml': docinfo } = files;
  const site = { files: Object.keys(files).length, bytes: bytesOf(files) };
  const charsets = Object.entries(files).flatMap(
    ([path, content]) => charsetOf(path, Buffer.from(content)) ?? [],
  );
  const read = docinfo === undefined ? {} : firstLineDocinfo(String(docinfo));
  const facts = {
    site,
    ...(read.docinfo && { docinfo: read.docinfo }),
    ...(charsets.length > 0 && { charsets: [...new Set(charsets)].sort() }),
  };
  return { facts, hasIndex: 'index.html' in files };
}

function indexOf(files: Files): ArchiveIndex {
  let offset = 0;
  return ArchiveIndex.of(
    Object.entries(files).map(([path, text]) => {
      const size = Buffer.byteLength(text);
      offset += size;
      const charset = charsetOf(path, Buffer.from(text));
      return {
        path,
        offset: offset - size,
        compressedSize: size,
        size,
        method: 'stored',
        crc32: crc32(text),
        ...(charset !== undefined && { charset }),
      };
    }),
  );
}
