import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { crc32 } from 'node:zlib';
import {
  type ArchiveContent,
  type ArchiveLimits,
  type Archives,
  type CatalogueChange,
  type ClearUpOptions,
  type DiskUse,
  type DocStore,
  decideRemoval,
  diskUseOf,
  type FileList,
  type Publication,
  type Published,
  type Removal,
  type RemovedVersion,
  type RemoveOptions,
  type RestoreOptions,
  type SettingsDecision,
  type SiteEntry,
  type Staging,
  type StoredFile,
  storableSettings,
  storageRefusalOf,
  type TokensDecision,
  unpackedBytes,
} from '../../application/index.js';
import {
  Catalogue,
  type ClockVerdict,
  isKeptWhenRemoved,
  type KnownRecord,
  keptFor,
  type MadeToken,
  maxInRound,
  refuse,
  restoredRecord,
  SitePath,
  settingsText,
  type Version,
  type VersionId,
  versionOf,
  whyNotPublished,
} from '../../domain/index.js';
import { charsetOf } from '../../node/content-type.js';
import { LocalStaging } from '../../node/receive-archive.js';
import { refusing } from '../../node/system-errors.js';
import { MemoryDerivedFiles, MemoryFile } from './memory-files.js';

interface Content {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly directories: ReadonlySet<string>;
  readonly archive: Buffer;
  readonly publishedAt: Date;
  /** Charsets besides UTF-8, by path. */
  readonly charsets: ReadonlyMap<string, string>;
}

/**
 * A DocStore in memory, for embedders and tests. All content is lost when the process ends. Uploads are staged and
 * unpacked in a temporary directory.
 */
export class MemoryDocStore implements DocStore {
  readonly foldsCase = false;
  private current = Catalogue.empty;
  readonly derived = new MemoryDerivedFiles();
  private readonly listeners = new Set<(change: CatalogueChange) => void>();
  /** Content of the publications, by revision. */
  private readonly contents = new Map<string, Content>();
  /** Versions that can be restored, with their content, newest removal first. */
  private kept: readonly (RemovedVersion & { readonly content: Content })[] = [];
  private published = 0;
  private made: readonly MadeToken[] = [];
  /** Stagings that are not discarded yet; `close` removes their directories. */
  private readonly stagings = new Set<LocalStaging>();

  constructor(
    /** Directory for the archives and sites of uploads. */
    private readonly temporary = tmpdir(),
    /** Time for which removed and replaced versions can be restored, in milliseconds. */
    private readonly keepRemovedMs = 0,
  ) {}

  catalogue(): Catalogue {
    return this.current;
  }

  subscribe(listener: (change: CatalogueChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async stage(): Promise<Staging> {
    const directory = await refusing(storageRefusalOf, () => mkdtemp(join(this.temporary, 'lectern-')));
    return new MemoryStaging(directory, this.stagings, storageRefusalOf);
  }

  async publish(
    staging: Staging,
    { id, record }: Publication,
    { replace }: { replace: boolean },
  ): Promise<Published> {
    if (!(staging instanceof MemoryStaging)) throw new TypeError('a staging of another store');
    const content = await refusing(storageRefusalOf, () => readContent(staging, record));
    // No await from here to the change, so it is atomic.
    const refusal = whyNotPublished(this.current, id, replace);
    if (refusal !== undefined) throw refusal;
    const published = this.show(content, id, record);
    await staging.discard();
    return published;
  }

  async remove(id: VersionId, options: RemoveOptions = {}): Promise<void> {
    const { directoryName } = id;
    const isMeant = (version: Version) => version.directoryName === directoryName;
    const isKept = this.kept.some(({ version }) => isMeant(version));
    const removal = decideRemoval(this.current.version(directoryName), options, isKept);
    if (removal.kind === 'refuse') throw this.current.whyNotFound(id);
    if (removal.kind === 'remove') {
      options.confirm?.(this.current);
      this.change({ came: [], gone: [removal.version], settings: [] });
    }
    if (options.purge) this.kept = this.kept.filter(({ version }) => !isMeant(version));
  }

  async removed(): Promise<readonly RemovedVersion[]> {
    return this.restorable().map(({ content: _, ...removed }) => removed);
  }

  removals(): Promise<readonly Removal[]> {
    return this.removed();
  }

  async restore(
    { version: removed }: RemovedVersion,
    { replace, expiresAt }: RestoreOptions,
  ): Promise<Published> {
    const { project, label, revision: old } = removed;
    const removal = this.restorable().find(({ version }) => version.revision === old);
    if (removal === undefined) throw refuse.notRestorable(project, label);
    const refusal = whyNotPublished(this.current, removed, replace);
    if (refusal !== undefined) throw refusal;
    this.kept = this.kept.filter((each) => each !== removal);
    const record = restoredRecord(removal.version.record, expiresAt);
    return this.show(removal.content, removed, record);
  }

  async changeSettings(project: string, decide: SettingsDecision): Promise<void> {
    const settings = decide(this.current);
    storableSettings(project, settings);
    const before = this.current.settingsOf(project);
    if (settingsText(settings) === settingsText(before)) return;
    this.change({ came: [], gone: [], settings: [{ project, before, after: settings }] });
  }

  async madeTokens(): Promise<readonly MadeToken[]> {
    return this.made;
  }

  async changeMadeTokens(decide: TokensDecision): Promise<void> {
    this.made = decide(this.made);
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    const content = this.contentOf(version);
    const bytes = content?.files.get(path.toString());
    if (content !== undefined && bytes !== undefined) {
      return {
        kind: 'file',
        file: new MemoryFile(bytes, content.publishedAt, content.charsets.get(path.toString())),
      };
    }
    return content?.directories.has(path.toString()) === true ? { kind: 'directory' } : undefined;
  }

  async listFiles(version: Version, max: number, withSizes = false): Promise<FileList> {
    const { files } = this.contentOf(version) ?? {};
    const all = [...(files?.keys() ?? [])].filter((path) => SitePath.of(path)?.isHidden === false).sort();
    const paths = all.slice(0, max);
    const list = { paths, more: all.length > max };
    return withSizes ? { ...list, sizes: paths.map((path) => files?.get(path)?.length ?? 0) } : list;
  }

  async checksums(version: Version): Promise<ReadonlyMap<string, string>> {
    const files = this.contentOf(version)?.files ?? [];
    return new Map([...files].map(([path, bytes]) => [path, `${bytes.length}-${crc32(bytes)}`]));
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const content = this.contentOf(version);
    if (content === undefined) throw refuse.versionNotFound(version.project, version.label);
    return new MemoryFile(content.archive, content.publishedAt);
  }

  async diskUse(project: string): Promise<DiskUse> {
    const ofProject = this.kept.filter(({ version }) => version.project === project);
    const removed = ofProject.reduce((total, { version }) => total + unpackedBytes(version), 0);
    return diskUseOf(this.current, project, unpackedBytes, removed);
  }

  /** Believes every clock: what is kept here was removed by this process. */
  async judgeClock(): Promise<ClockVerdict> {
    return { kind: 'believed' };
  }

  async clearUp(now: Date, { all = false }: ClearUpOptions = {}): Promise<number> {
    const over = this.kept.filter(({ expiresAt }) => expiresAt <= now).reverse();
    const goes = new Set(all ? over : over.slice(0, maxInRound(this.kept.length)));
    this.kept = this.kept.filter((each) => !goes.has(each));
    return over.length - goes.size;
  }

  async close(): Promise<void> {
    for (const staging of this.stagings) await staging.discard();
  }

  /** Publishes a content, in place of what is there. */
  private show(content: Content, id: VersionId, record: KnownRecord): Published {
    const before = this.current.version(id.directoryName);
    const version = versionOf(id, String(++this.published), record);
    this.contents.set(version.revision, content);
    this.change({ came: [version], gone: before === undefined ? [] : [before], settings: [] });
    return { version, replaced: before !== undefined };
  }

  private change(change: CatalogueChange): void {
    const settings = change.settings.map(({ project, after }) => [project, after] as const);
    this.current = this.current.changed({ come: change.came, gone: change.gone, settings });
    for (const version of change.gone) this.keep(version, change.came.length > 0);
    for (const { revision } of change.gone) {
      this.contents.delete(revision);
      this.derived.drop(revision);
    }
    for (const listener of this.listeners) listener(change);
  }

  private keep(version: Version, isReplaced: boolean): void {
    const content = this.contents.get(version.revision);
    const removedAt = new Date();
    const isKept = this.keepRemovedMs > 0 && isKeptWhenRemoved(version, removedAt, isReplaced);
    if (content === undefined || !isKept) return;
    const expiresAt = new Date(removedAt.getTime() + keptFor(version, this.keepRemovedMs));
    this.kept = [{ version, removedAt, isReplaced, expiresAt, content }, ...this.kept];
  }

  private restorable(now = new Date()) {
    return this.kept.filter(({ expiresAt }) => expiresAt > now);
  }

  /** Returns the content of this publication, or of the one that replaced it. */
  private contentOf({ revision, directoryName }: Version): Content | undefined {
    return (
      this.contents.get(revision) ?? this.contents.get(this.current.version(directoryName)?.revision ?? '')
    );
  }
}

class MemoryStaging extends LocalStaging implements Staging {
  readonly siteDirectory = join(this.directory, 'site');

  prepare(archives: Pick<Archives, 'unpack'>, limits: ArchiveLimits): Promise<ArchiveContent> {
    const { archiveFile, siteDirectory } = this;
    return refusing(this.refusalOf, () => archives.unpack({ archiveFile, siteDirectory, limits }));
  }
}

async function readContent(
  { siteDirectory, archiveFile }: MemoryStaging,
  { publishedAt, charsets: found = [] }: KnownRecord,
): Promise<Content> {
  const files = new Map<string, Buffer>();
  const directories = new Set(['']);
  for (const entry of await readdir(siteDirectory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(siteDirectory, file).split(sep).join('/');
    if (entry.isDirectory()) directories.add(path);
    else files.set(path, await readFile(file));
  }
  const charsets = new Map<string, string>();
  for (const [path, bytes] of found.length === 0 ? [] : files) {
    const charset = charsetOf(path, bytes);
    if (charset !== undefined) charsets.set(path, charset);
  }
  return { files, directories, archive: await readFile(archiveFile), publishedAt, charsets };
}
