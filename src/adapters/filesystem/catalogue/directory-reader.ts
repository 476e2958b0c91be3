import { lstatSync } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import type { ReadDocinfo } from '../../../application/index.js';
import {
  directoryNameOfArchive,
  fold,
  isCopiedInName,
  type KnownRecord,
  parseDirectoryName,
  type Version,
} from '../../../domain/index.js';
import { errnoOf, hasErrno } from '../../../node/system-errors.js';
import { readCopied } from '../copied/copied-directories.js';
import { linkTargetSync, RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import { DocinfoFiles } from '../reading/docinfo-file.js';
import type { Report } from '../report.js';
import { isRecordRead, readGeneration } from './read-generation.js';

/** Names handled between yields to the event loop. */
const NAMES_AT_A_TIME = 200;
/** Max. attempts to read all names, while some of them are being removed. */
const MAX_ATTEMPTS = 5;

const UNREADABLE = Symbol('unreadable');

/** A directory name and its version; undefined when there is none. */
export type Found = readonly [name: string, version: Version | undefined];

interface Reading {
  /** All that differs from what was known before. */
  readonly differences: readonly Found[];
  /** Names to read again while the docs directory is unchanged: copied-in ones, and those without a record. */
  readonly readAgain: ReadonlySet<string>;
}

/** Reads the versions of a docs directory. */
export class DirectoryReader {
  private readonly docinfoFiles: DocinfoFiles;
  /** Docinfo problems by directory name: each is reported once, though files are read every few seconds. */
  private readonly problems = new Map<string, string>();
  /**
   * Docinfos and front pages of the records that the present scan has read, by their JSON. Most versions of a project have
   * the same ones, which are in memory once then: a sixth less for 200,000 versions.
   */
  private readonly values = new Map<string, object>();

  constructor(
    private readonly layout: Layout,
    readDocinfo: ReadDocinfo,
    /** Whether names that differ only in case are the same name here. */
    private readonly foldsCase = false,
    private readonly report: Report = () => {},
  ) {
    this.docinfoFiles = new DocinfoFiles(readDocinfo);
  }

  /**
   * Reads all names and link targets, and the records of versions not known yet. Yields to the event loop.
   * @param before known versions; may change meanwhile
   * @throws an error with an errno code
   */
  async read(before: ReadonlyMap<string, Version>): Promise<Reading> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.readAll(before);
      } catch (error) {
        // Where the file system gives no entry types, Node calls `lstat` for each name, which may be gone by then.
        if (errnoOf(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
        await stat(this.layout.root);
      }
    }
  }

  private async readAll(before: ReadonlyMap<string, Version>): Promise<Reading> {
    const seen = new Set<string>();
    const differences: Found[] = [];
    const copied = new Set<string>();
    const readAgain = new Set<string>();
    let handled = 0;
    const isBatchDone = () => {
      handled += 1;
      return handled % NAMES_AT_A_TIME === 0;
    };
    const remember = (name: string, version: Version | undefined) => {
      if (version === undefined || !isRecordRead(version)) readAgain.add(name);
      if (version === undefined) return;
      seen.add(name);
      if (version !== before.get(name)) differences.push([name, version]);
    };
    /** Leaves a version as it was: a link that cannot be read is not gone. */
    const keep = (name: string) => {
      seen.add(name);
      readAgain.add(name);
    };
    // In batches: hundreds of thousands of names take long to read, and a lot of memory.
    const names = await opendir(this.layout.root, { bufferSize: NAMES_AT_A_TIME });
    try {
      for (let entry = names.readSync(); entry !== null; entry = names.readSync()) {
        const { name } = entry;
        if (!name.startsWith('.') && directoryNameOfArchive(name) === undefined) {
          const generation = entry.isSymbolicLink() ? this.readableGeneration(name) : undefined;
          if (generation === UNREADABLE) keep(name);
          else if (generation !== undefined)
            remember(name, this.linkedVersion(name, generation, before.get(name)));
          else if (!entry.isFile() && isCopiedInName(name)) copied.add(name);
        }
        if (isBatchDone()) await new Promise(setImmediate);
      }
    } finally {
      names.closeSync();
      this.values.clear();
    }
    for (const name of this.problems.keys()) if (!copied.has(name)) this.problems.delete(name);
    for (const name of copied) {
      const version = before.get(name);
      remember(name, version?.origin === 'copied' ? version : await this.readReadable(name));
    }
    // A link that is replaced during the listing may be missing from it, so missing names are checked by themselves. On
    // a case-insensitive file system, a renamed entry would still answer to its old spelling.
    const folded = new Set(this.foldsCase ? [...seen].map(fold) : []);
    for (const [name, version] of before) {
      if (isBatchDone()) await new Promise(setImmediate);
      if (seen.has(name)) continue;
      const mayBeMissed = version.origin === 'upload' && !folded.has(fold(name));
      const generation = mayBeMissed ? this.readableGeneration(name) : undefined;
      if (generation === UNREADABLE) keep(name);
      else if (generation !== undefined) remember(name, this.linkedVersion(name, generation, version));
      if (!seen.has(name)) differences.push([name, undefined]);
    }
    // Names missing from a docs directory that went away meanwhile are no removals: `stat` throws then.
    await stat(this.layout.root);
    return { differences, readAgain };
  }

  /**
   * The current version of a directory name; undefined when there is none.
   * @throws an error with an errno code when its link or its directory cannot be read
   */
  async readOne(name: string): Promise<Version | undefined> {
    const generation = this.linkedGeneration(name);
    if (generation !== undefined) return this.linkedVersion(name, generation);
    const id = isCopiedInName(name) ? parseDirectoryName(name) : undefined;
    const version = id && (await readCopied(id, this.layout.pointer(name), () => this.factsOf(name)));
    // An upload may have replaced it meanwhile.
    const published = this.linkedGeneration(name);
    if (published !== undefined) return this.linkedVersion(name, published);
    // The directory may have gone meanwhile: it may even have been a generation, whose pointer came and went again.
    const isThere = lstatSync(this.layout.pointer(name), { throwIfNoEntry: false }) !== undefined;
    return isThere ? version : undefined;
  }

  private async factsOf(name: string): Promise<Pick<KnownRecord, 'docinfo' | 'downloads'>> {
    const { problem, ...facts } = await this.docinfoFiles.in(this.layout.pointer(name));
    if (problem === undefined) this.problems.delete(name);
    else if (problem !== this.problems.get(name)) {
      this.problems.set(name, problem);
      this.report('the docinfo of a copied-in directory was ignored', { version: name, problem });
    }
    return facts;
  }

  /**
   * The generation that a pointer links to; undefined for any other link, and for none.
   * @throws an error with an errno code when the link cannot be read
   */
  private linkedGeneration(name: string): string | undefined {
    const target = linkTargetSync(this.layout.pointer(name));
    return target === undefined ? undefined : this.layout.generationOf(name, target);
  }

  /** Reads a version. An unreadable directory, such as one behind a link, must not hide all others. */
  private async readReadable(name: string): Promise<Version | undefined> {
    return this.readOne(name).catch((error: unknown) => {
      if (hasErrno(error, RUN_SHORT)) throw error;
      return undefined;
    });
  }

  private readableGeneration(name: string): string | typeof UNREADABLE | undefined {
    try {
      return this.linkedGeneration(name);
    } catch {
      return UNREADABLE;
    }
  }

  private linkedVersion(name: string, generation: string, before?: Version): Version | undefined {
    // The revision is the bare name of the generation only if the record could be read.
    if (before?.revision === generation) return before;
    const id = parseDirectoryName(name);
    const version = id && readGeneration(this.layout, id, generation);
    if (version === undefined) return undefined;
    const { docinfo, frontPage } = version.record;
    if (docinfo === undefined && frontPage === undefined) return version;
    const shared = {
      ...(docinfo && { docinfo: this.shared(docinfo) }),
      ...(frontPage && { frontPage: this.shared(frontPage) }),
    };
    return { ...version, record: { ...version.record, ...shared } };
  }

  private shared<T extends object>(value: T): T {
    const text = JSON.stringify(value);
    const known = this.values.get(text) ?? value;
    this.values.set(text, known);
    return known as T;
  }
}
