import { statSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileList, SiteEntry, StoredFile } from '../../../application/index.js';
import { refuse, SitePath, type Version } from '../../../domain/index.js';
import { unless } from '../../../node/system-errors.js';
import { readGeneration } from '../catalogue/read-generation.js';
import type { BuiltArchives } from '../copied/built-archives.js';
import { openCopied } from '../copied/copied-directories.js';
import { linkTargetSync, NOTHING_THERE } from '../disk.js';
import { type Generation, generationNameOf, type Layout } from '../layout.js';
import type { Report } from '../report.js';
import { DeflatedContent } from './deflated-content.js';
import { type EntryFacts, type LocalEntry, openEntrySync, withCharset } from './stored-file.js';

/** Entries read from a directory at a time. */
const BATCH = 500;

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

/** Max. directory entries read for one list of fewer files, however large the site is. */
export const MAX_LOOKED_AT = 20_000;

interface Entry {
  readonly path: string;
  /** Sort key in its directory, in the order of whole paths. */
  readonly key: string;
  readonly isDirectory: boolean;
}

/**
 * Lists the first files of a site in path order: reads and sorts one directory after the other, until there are `max`.
 * Omits hidden names, links, and paths that cannot be served. In a directory with more entries than `maxLookedAt`, the
 * file system decides which of them are listed.
 * @returns undefined when there is no such directory
 */
export async function listFiles(
  site: string,
  max: number,
  maxLookedAt = Math.max(MAX_LOOKED_AT, max),
): Promise<FileList | undefined> {
  return new Walk(site, max, maxLookedAt).run();
}

/** Returns the sizes of files in bytes; 0 for one that has just gone. */
function sizesOf(site: string, paths: readonly string[]): Promise<readonly number[]> {
  const sizeOf = async (path: string) => (await unless(NOTHING_THERE, lstat(join(site, path))))?.size ?? 0;
  return Promise.all(paths.map(sizeOf));
}

class Walk {
  private readonly paths: string[] = [];
  private lookedAt = 0;
  /** Whether a directory was not read to its end. */
  private isCut = false;
  private more = false;

  constructor(
    private readonly site: string,
    private readonly max: number,
    private readonly maxLookedAt: number,
  ) {}

  async run(): Promise<FileList | undefined> {
    const entries = await this.read('');
    if (entries === undefined) return undefined;
    await this.take(entries);
    return { paths: this.paths, more: this.more };
  }

  private async take(entries: readonly Entry[]): Promise<void> {
    for (const { path, isDirectory } of entries) {
      if (isDirectory) {
        // Later files would not be the first in path order.
        if (this.isCut) this.more = true;
        // A directory that has just gone has no files.
        else await this.take((await this.read(path)) ?? []);
      } else if (this.paths.length === this.max) this.more = true;
      else this.paths.push(path);
      if (this.more) return;
    }
    // Nothing is listed after an incomplete directory.
    this.more ||= this.isCut;
  }

  /** The servable entries of a directory; undefined when it does not exist. */
  private async read(directory: string): Promise<readonly Entry[] | undefined> {
    const names = await unless(NOTHING_THERE, opendir(join(this.site, directory), { bufferSize: BATCH }));
    if (names === undefined) return undefined;
    const entries: Entry[] = [];
    // Closes the directory at its end, and when it is left early.
    for await (const entry of names) {
      const { name } = entry;
      if (this.lookedAt === this.maxLookedAt) {
        this.isCut = true;
        break;
      }
      this.lookedAt += 1;
      const isDirectory = entry.isDirectory();
      if (!isDirectory && !entry.isFile()) continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      if (SitePath.of(path)?.isHidden !== false) continue;
      entries.push({ path, key: isDirectory ? `${name}/` : name, isDirectory });
    }
    return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
