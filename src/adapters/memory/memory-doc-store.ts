import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type {
  ArchiveContent,
  ArchiveLimits,
  Archives,
  CatalogueChange,
  DocStore,
  FileList,
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
import { MemoryDerivedFiles, MemoryDocuments } from './memory-documents.js';
import { MemoryFile } from './memory-file.js';

interface Content {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly directories: ReadonlySet<string>;
  readonly archive: Buffer;
  readonly publishedAt: Date;
}

/**
 * A DocStore in memory, for embedders and tests. Its content is lost when the process ends. Uploads are staged and
 * unpacked in a temporary directory.
 */
export class MemoryDocStore implements DocStore {
  readonly foldsCase = false;
  private current = Catalogue.empty;
  readonly documents = new MemoryDocuments();
  readonly derived = new MemoryDerivedFiles();
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  /** Content of the publications, by revision. */
  private readonly contents = new Map<string, Content>();
  private published = 0;
  /** Stagings that are not discarded yet; `close` removes their directories. */
  private readonly stagings = new Set<MemoryStaging>();

  constructor(
    private readonly readDocinfo: ReadDocinfo = () => ({}),
    /** Directory for the archives and sites of uploads. */
    private readonly temporary = tmpdir(),
  ) {}

  catalogue(): Catalogue {
    return this.current;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async stage(): Promise<Staging> {
    const directory = await mkdtemp(join(this.temporary, 'lectern-'));
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
    if (!(staging instanceof MemoryStaging)) throw new TypeError('a staging of another store');
    const content = await readContent(staging, publishedAt);
    const { docinfo, problem } = this.docinfoOf(content);
    // No await from here to the change, so it is atomic.
    const before = this.current.version(id.directoryName);
    if (before !== undefined && !replace) throw refuse.versionExists(id.project, id.label, '');
    const version: Version = {
      ...id,
      revision: String(++this.published),
      publishedAt,
      origin: 'upload',
      archive,
      site,
      ...(docinfo === undefined ? {} : { docinfo }),
    };
    this.contents.set(version.revision, content);
    this.change({ came: [version], gone: before === undefined ? [] : [before] });
    await staging.discard();
    return {
      version,
      replaced: before !== undefined,
      ...(problem === undefined ? {} : { docinfoProblem: problem }),
    };
  }

  async remove(
    { project, label, directoryName }: VersionId,
    { revision }: { readonly revision?: string } = {},
  ): Promise<void> {
    if (this.current.project(project) === undefined) throw refuse.projectNotFound(project);
    const version = this.current.version(directoryName);
    if (version === undefined || (revision !== undefined && revision !== version.revision)) {
      throw refuse.versionNotFound(project, label);
    }
    this.change({ came: [], gone: [version] });
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    const content = this.contentOf(version);
    const bytes = content?.files.get(path.toString());
    if (content !== undefined && bytes !== undefined) {
      return { kind: 'file', file: new MemoryFile(bytes, content.publishedAt) };
    }
    return content?.directories.has(path.toString()) === true ? { kind: 'directory' } : undefined;
  }

  async listFiles(version: Version, max: number): Promise<FileList> {
    const paths = [...(this.contentOf(version)?.files.keys() ?? [])]
      .filter((path) => SitePath.of(path)?.isHidden === false)
      .sort();
    return { paths: paths.slice(0, max), more: paths.length > max };
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const content = this.contentOf(version);
    if (content === undefined) throw refuse.versionNotFound(version.project, version.label);
    return new MemoryFile(content.archive, content.publishedAt);
  }

  async close(): Promise<void> {
    for (const staging of this.stagings) await staging.discard();
  }

  private change(change: CatalogueChange): void {
    this.current = this.current.changed({ come: change.came, gone: change.gone });
    for (const { revision } of change.gone) {
      this.contents.delete(revision);
      this.derived.drop(revision);
    }
    for (const listener of this.listeners) listener(change);
  }

  /** Returns the content of this publication, or of the one that replaced it. */
  private contentOf({ revision, directoryName }: Version): Content | undefined {
    return (
      this.contents.get(revision) ?? this.contents.get(this.current.version(directoryName)?.revision ?? '')
    );
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

  async receive(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedArchive> {
    const hash = createHash('sha256');
    let size = 0;
    const measured = async function* () {
      for await (const chunk of content) {
        size += chunk.length;
        if (size > maxBytes) throw refuse.uploadTooLarge(maxBytes, size);
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(measured, createWriteStream(this.archiveFile, { flags: 'wx' }));
    return { size, sha256: hash.digest('hex') };
  }

  prepare(archives: Pick<Archives, 'unpack'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    const { archiveFile, siteDirectory } = this;
    return archives.unpack({ archiveFile, siteDirectory, limits });
  }

  async discard(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
    this.forget();
  }
}

async function readContent(
  { siteDirectory, archiveFile }: MemoryStaging,
  publishedAt: Date,
): Promise<Content> {
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
