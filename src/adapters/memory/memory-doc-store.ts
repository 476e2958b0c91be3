import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type {
  ByteRange,
  DocStore,
  FileList,
  HeldFile,
  HowToRead,
  Publication,
  Published,
  ReadDocinfo,
  ReceivedArchive,
  SiteEntry,
  Staging,
  StoredFile,
} from '../../application/index.js';
import {
  Catalogue,
  DOCINFO_FILES,
  type DocinfoReading,
  docinfoTooLarge,
  MAX_DOCINFO_BYTES,
  refuse,
  SitePath,
  type Version,
  type VersionId,
} from '../../domain/index.js';

interface Content {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly directories: ReadonlySet<string>;
  readonly archive: Buffer;
  readonly publishedAt: Date;
}

/**
 * A DocStore in memory, for embedders and tests. It forgets everything when its process ends. Uploads pass
 * through a temporary directory, since archives are unpacked there.
 */
export class MemoryDocStore implements DocStore {
  readonly foldsCase = false;
  private current = Catalogue.empty;
  private readonly contents = new WeakMap<Version, Content>();
  /** Those that nobody has discarded yet: their directories go with the store. */
  private readonly stagings = new Set<MemoryStaging>();

  constructor(private readonly readDocinfo: ReadDocinfo = () => ({})) {}

  async catalogue(): Promise<Catalogue> {
    return this.current;
  }

  catalogueNow(): Catalogue {
    return this.current;
  }

  async stage(): Promise<Staging> {
    const directory = await mkdtemp(join(tmpdir(), 'lectern-'));
    const staging: MemoryStaging = new MemoryStaging(directory, () => this.stagings.delete(staging));
    this.stagings.add(staging);
    return staging;
  }

  async publish(
    staging: Staging,
    publication: Publication,
    { replace }: { replace: boolean },
  ): Promise<Published> {
    const { id, publishedAt, archive, site } = publication;
    const content = await readContent(staging, publishedAt);
    const { docinfo, problem } = this.docinfoOf(content);
    // From here on nothing is awaited, so nobody can come in between.
    const replaced = this.current.version(id.directoryName) !== undefined;
    if (replaced && !replace) throw refuse.versionExists(id.project, id.label, '');
    const version: Version = {
      ...id,
      publishedAt,
      origin: 'upload',
      archive,
      site,
      ...(docinfo === undefined ? {} : { docinfo }),
    };
    this.contents.set(version, content);
    this.current = this.current.with(version);
    await staging.discard();
    return { version, replaced, ...(problem === undefined ? {} : { docinfoProblem: problem }) };
  }

  async remove({ project, label, directoryName }: VersionId): Promise<void> {
    if (this.current.project(project) === undefined) throw refuse.projectNotFound(project);
    const version = this.current.version(directoryName);
    if (version === undefined) throw refuse.versionNotFound(project, label);
    this.current = this.current.without(version);
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    const content = this.contents.get(version);
    const bytes = content?.files.get(path.toString());
    if (content !== undefined && bytes !== undefined) {
      return { kind: 'file', file: new MemoryFile(bytes, content.publishedAt) };
    }
    return content?.directories.has(path.toString()) === true ? { kind: 'directory' } : undefined;
  }

  readNow(version: Version, path: SitePath, { most, gzipFrom }: HowToRead): HeldFile | undefined {
    const content = this.contents.get(version);
    const bytes = content?.files.get(path.toString());
    if (content === undefined || bytes === undefined || bytes.length > most) return undefined;
    if (gzipFrom !== undefined && bytes.length >= gzipFrom) return undefined;
    const { size, modifiedAt, etag } = new MemoryFile(bytes, content.publishedAt);
    return { size, modifiedAt, etag, encoding: 'identity', bytes };
  }

  async listFiles(version: Version, max: number): Promise<FileList> {
    const paths = [...(this.contents.get(version)?.files.keys() ?? [])]
      .filter((path) => SitePath.of(path)?.isHidden === false)
      .sort();
    return { paths: paths.slice(0, max), more: paths.length > max };
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const content = this.contents.get(version);
    if (content === undefined) throw refuse.versionNotFound(version.project, version.label);
    return new MemoryFile(content.archive, content.publishedAt);
  }

  async freeBytes(): Promise<number | undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    for (const staging of this.stagings) await staging.discard();
  }

  private docinfoOf({ files }: Content): DocinfoReading {
    const name = DOCINFO_FILES.find((file) => files.has(file));
    const text = name === undefined ? undefined : files.get(name);
    if (name === undefined || text === undefined) return {};
    if (text.length > MAX_DOCINFO_BYTES) return { problem: `${name} ${docinfoTooLarge}` };
    const { docinfo, problem } = this.readDocinfo(text.toString('utf8'));
    if (problem !== undefined) return { problem: `${name} ${problem}` };
    return docinfo === undefined ? {} : { docinfo };
  }
}

class MemoryStaging implements Staging {
  readonly archiveFile: string;
  readonly siteDirectory: string;

  constructor(
    private readonly directory: string,
    private readonly forget: () => void,
  ) {
    this.archiveFile = join(directory, 'archive.zip');
    this.siteDirectory = join(directory, 'site');
  }

  async receive(content: AsyncIterable<Uint8Array>, mostBytes: number): Promise<ReceivedArchive> {
    const hash = createHash('sha256');
    let size = 0;
    const measured = async function* () {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > mostBytes) throw refuse.uploadTooLarge(mostBytes, size);
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(measured, createWriteStream(this.archiveFile, { flags: 'wx' }));
    return { size, sha256: hash.digest('hex') };
  }

  async discard(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    this.forget();
  }
}

class MemoryFile implements StoredFile {
  readonly size: number;
  readonly etag: string;

  constructor(
    private readonly bytes: Buffer,
    readonly modifiedAt: Date,
  ) {
    this.size = bytes.length;
    this.etag = createHash('sha256').update(bytes).digest('base64url');
  }

  async *stream(range?: ByteRange): AsyncIterable<Uint8Array> {
    yield range === undefined ? this.bytes : this.bytes.subarray(range.start, range.end + 1);
  }

  async close(): Promise<void> {}
}

async function readContent({ siteDirectory, archiveFile }: Staging, publishedAt: Date): Promise<Content> {
  const files = new Map<string, Buffer>();
  const directories = new Set(['']);
  for (const entry of await readdir(siteDirectory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(siteDirectory, file).split(sep).join('/');
    if (entry.isDirectory()) directories.add(path);
    else files.set(path, await readFile(file));
  }
  return { files, directories, archive: await readFile(archiveFile), publishedAt };
}
