import { statSync } from 'node:fs';
import type { FileList, SiteEntry, StoredFile } from '../../../application/index.js';
import { refuse, type SitePath, type Version } from '../../../domain/index.js';
import { generationNameOf, readGeneration } from '../catalogue/read-generation.js';
import type { BuiltArchives } from '../copied/built-archives.js';
import { openCopied } from '../copied/copied-directories.js';
import { linkTargetSync } from '../disk.js';
import type { Generation, Layout } from '../layout.js';
import type { Report } from '../report.js';
import { DeflatedContent } from './deflated-content.js';
import { listFiles, sizesOf } from './list-files.js';
import { type EntryFacts, type LocalEntry, openEntrySync } from './stored-file.js';
import { withCharset } from './with-charset.js';

/** Opens pages, file lists and archives of versions. */
export class SiteReader {
  private readonly deflated: DeflatedContent;

  constructor(
    private readonly layout: Layout,
    private readonly built: BuiltArchives,
    report: Report,
  ) {
    this.deflated = new DeflatedContent(report);
  }

  async open(version: Version, path: SitePath): Promise<SiteEntry | undefined> {
    if (version.origin === 'copied') return openCopied(this.layout.pointer(version.directoryName), path);
    const name = path.toString();
    // Generations hold no links: only files and directories are unpacked.
    return this.inGeneration(version, (generation, { record }) => {
      const open = (charset?: string) =>
        this.openGenerated(name === '' ? generation.site : `${generation.site}/${name}`, {
          charset,
          gzipped: () => this.deflated.open(generation, name),
        });
      // The record of nearly all sites says that all files are in UTF-8; a damaged one says nothing.
      const isUtf8 = record.charsets === undefined && record.archive !== undefined;
      return isUtf8 ? open() : this.openWithCharset(generation, name, open);
    });
  }

  private async openWithCharset(
    generation: Generation,
    path: string,
    open: (charset?: string) => LocalEntry | undefined,
  ): Promise<LocalEntry | undefined> {
    const index = await this.deflated.indexOf(generation).catch(() => undefined);
    const entry = open(index?.find(path)?.charset);
    // A power cut may have damaged the index.
    const isIndexed = index !== undefined && index.size > 0;
    return entry === undefined || isIndexed ? entry : withCharset(entry, path);
  }

  async listFiles(version: Version, max: number, withSizes: boolean): Promise<FileList> {
    const list = async (site: string) => {
      const files = await listFiles(site, max);
      return files && withSizes ? { ...files, sizes: await sizesOf(site, files.paths) } : files;
    };
    const files =
      version.origin === 'copied'
        ? await list(this.layout.pointer(version.directoryName))
        : await this.inGeneration(version, ({ site }) => list(site));
    return files ?? { paths: [], more: false };
  }

  async checksums(version: Version): Promise<ReadonlyMap<string, string> | undefined> {
    if (version.origin === 'copied') return undefined;
    return this.inGeneration(version, (generation) => this.deflated.checksums(generation));
  }

  async openArchive(version: Version): Promise<StoredFile> {
    const file =
      version.origin === 'copied'
        ? await this.built.open(version, this.layout.pointer(version.directoryName))
        : await this.inGeneration(version, (generation, found) => {
            const entry = this.openGenerated(generation.archive, { etag: found.record.archive?.sha256 });
            return entry?.kind === 'file' ? entry.file : undefined;
          });
    if (file === undefined) throw refuse.versionNotFound(version.project, version.label);
    return file;
  }

  /** Opens a file or directory of a generation. */
  private openGenerated(path: string, facts: EntryFacts): LocalEntry | undefined {
    return openEntrySync(path, { ...facts, localPath: path.slice(this.layout.root.length + 1) });
  }

  /**
   * Runs `look` on the version's generation, and on the current one if that finds nothing and the version was replaced
   * since: for readers that were delayed longer than the grace period.
   */
  private async inGeneration<T>(
    version: Version,
    look: (generation: Generation, version: Version) => T | Promise<T>,
  ): Promise<T | undefined> {
    const { directoryName } = version;
    const name = generationNameOf(version);
    const found = await look(this.layout.generation(directoryName, name), version);
    if (found !== undefined) return found;
    const current = this.currentGeneration(directoryName);
    if (current === undefined || current === name) return undefined;
    const now = readGeneration(this.layout, version, current);
    return now && look(this.layout.generation(directoryName, current), now);
  }

  /**
   * The generation that a pointer links to now. Sync, since missing pages are requested often.
   * @throws an error with an errno code when there is no docs directory
   */
  private currentGeneration(directoryName: string): string | undefined {
    const target = linkTargetSync(this.layout.pointer(directoryName));
    if (target !== undefined) return this.layout.generationOf(directoryName, target);
    statSync(this.layout.root);
    return undefined;
  }
}
