import { readlinkSync } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import type { ReadDocinfo } from '../../../application/index.js';
import {
  type Docinfo,
  directoryNameOfArchive,
  fold,
  isCopiedInName,
  parseDirectoryName,
  type Version,
} from '../../../domain/index.js';
import { readCopied } from '../copied/copied-directories.js';
import { errnoOf, RUN_SHORT } from '../disk.js';
import type { Layout } from '../layout.js';
import { DocinfoFiles } from '../reading/docinfo-file.js';
import type { Report } from '../report.js';
import { isRecordRead, readGeneration } from './read-generation.js';

/** Names handled before other work gets its turn. */
const NAMES_AT_A_TIME = 200;
/** Times that the names are read, one after the other, when some of them go meanwhile. */
const MAX_ATTEMPTS = 5;

export interface Reading {
  /** By directory name. */
  readonly versions: ReadonlyMap<string, Version>;
  /** Names whose content may change while the docs directory does not: copied-in ones, and those without a record. */
  readonly readAgain: ReadonlySet<string>;
}

/** Reads which versions a docs directory holds. */
export class DirectoryReader {
  private readonly docinfoFiles: DocinfoFiles;
  /** Why the docinfo of a directory was ignored, by directory name: told once, though it is read every few seconds. */
  private readonly problems = new Map<string, string>();

  constructor(
    private readonly layout: Layout,
    readDocinfo: ReadDocinfo,
    /** Whether the directory takes `Readme` and `README` for the same name. */
    private readonly foldsCase = false,
    private readonly report: Report = () => {},
  ) {
    this.docinfoFiles = new DocinfoFiles(readDocinfo);
  }

  /**
   * Reads all names and where they lead, and looks into what is not known yet. Other work goes on meanwhile.
   * @param before what is known already; may change meanwhile
   * @throws an error with an errno code
   */
  async read(before: ReadonlyMap<string, Version>): Promise<Reading> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.readAll(before);
      } catch (error) {
        // Of a file system that does not say what kind of thing a name is, Node asks for each one: it may have gone.
        if (errnoOf(error) !== 'ENOENT' || attempt === MAX_ATTEMPTS) throw error;
        await stat(this.layout.root);
      }
    }
  }

  private async readAll(before: ReadonlyMap<string, Version>): Promise<Reading> {
    const versions = new Map<string, Version>();
    const copied = new Set<string>();
    const readAgain = new Set<string>();
    let handled = 0;
    const isTurnOver = () => {
      handled += 1;
      return handled % NAMES_AT_A_TIME === 0;
    };
    const remember = (name: string, version: Version | undefined) => {
      if (version !== undefined) versions.set(name, version);
      if (version === undefined || !isRecordRead(version)) readAgain.add(name);
    };
    // Not all at once: hundreds of thousands of names take long to make, and a lot of memory.
    const names = await opendir(this.layout.root, { bufferSize: NAMES_AT_A_TIME });
    try {
      for (let entry = names.readSync(); entry !== null; entry = names.readSync()) {
        const { name } = entry;
        if (!name.startsWith('.') && directoryNameOfArchive(name) === undefined) {
          const generation = entry.isSymbolicLink() ? this.linkedGeneration(name) : undefined;
          if (generation !== undefined) remember(name, this.behindLink(name, generation, before.get(name)));
          else if (!entry.isFile() && isCopiedInName(name)) copied.add(name);
        }
        if (isTurnOver()) await new Promise(setImmediate);
      }
    } finally {
      names.closeSync();
    }
    for (const name of this.problems.keys()) if (!copied.has(name)) this.problems.delete(name);
    for (const name of copied) {
      const version = before.get(name);
      remember(name, version?.origin === 'copied' ? version : await this.readOne(name));
    }
    // A link that is replaced while names are being read may be left out: what is gone is asked for by its name.
    // Where case is folded, a name that was changed to another spelling would still answer.
    const folded = new Set(this.foldsCase ? [...versions.keys()].map(fold) : []);
    for (const [name, version] of before) {
      if (versions.has(name) || version.origin === 'copied' || (this.foldsCase && folded.has(fold(name))))
        continue;
      const generation = this.linkedGeneration(name);
      if (generation !== undefined) remember(name, this.behindLink(name, generation, version));
      if (isTurnOver()) await new Promise(setImmediate);
    }
    return { versions, readAgain };
  }

  /** The version that stands under a name in the docs directory just now; undefined when none does. */
  async readOne(name: string): Promise<Version | undefined> {
    const generation = this.linkedGeneration(name);
    if (generation !== undefined) return this.behindLink(name, generation);
    const id = isCopiedInName(name) ? parseDirectoryName(name) : undefined;
    try {
      const version = id && (await readCopied(id, this.layout.pointer(name), () => this.docinfoOf(name)));
      // An upload may have taken its place meanwhile.
      const published = this.linkedGeneration(name);
      return published === undefined ? version : this.behindLink(name, published);
    } catch (error) {
      if (RUN_SHORT.includes(errnoOf(error) ?? '')) throw error;
      // One that is out of reach, behind a link say, is no reason to serve none.
      return undefined;
    }
  }

  private async docinfoOf(name: string): Promise<Docinfo | undefined> {
    const { docinfo, problem } = await this.docinfoFiles.in(this.layout.pointer(name));
    if (problem === undefined) this.problems.delete(name);
    else if (problem !== this.problems.get(name)) {
      this.problems.set(name, problem);
      this.report('the docinfo of a copied-in directory was ignored', { version: name, problem });
    }
    return docinfo;
  }

  /** The generation that a pointer leads to; undefined when it leads elsewhere, or is none. */
  private linkedGeneration(name: string): string | undefined {
    return this.layout.generationOf(name, linkTarget(this.layout.pointer(name)));
  }

  private behindLink(name: string, generation: string, before?: Version): Version | undefined {
    // Only while its record is read is a version's revision the bare name of its generation.
    if (before?.revision === generation) return before;
    const id = parseDirectoryName(name);
    return id && readGeneration(this.layout, id, generation);
  }
}

/** The target of a link; empty when it has just gone. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
