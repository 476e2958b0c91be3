import { readlinkSync } from 'node:fs';
import { opendir } from 'node:fs/promises';
import type { ReadDocinfo } from '../../application/index.js';
import {
  type Docinfo,
  directoryNameOfArchive,
  fold,
  isVersionByHand,
  parseDirectoryName,
} from '../../domain/index.js';
import { readByHand } from './by-hand.js';
import { errnoOf, RUN_SHORT } from './disk.js';
import { DocinfoFiles } from './docinfo-file.js';
import type { KnownVersion } from './known-version.js';
import type { Layout } from './layout.js';
import { readGeneration } from './read-generation.js';
import { Shared } from './shared.js';
import type { Report } from './tools.js';

/** Names handled before other work gets its turn. */
const NAMES_AT_A_TIME = 200;

export type KnownVersions = ReadonlyMap<string, KnownVersion>;

export interface Reading {
  /** By directory name. */
  readonly known: Map<string, KnownVersion>;
  /** The names among them, and others, that are no links of ours. */
  readonly byHand: ReadonlySet<string>;
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
   * @param before what is known already
   * @throws an error with an errno code
   */
  async read(before: KnownVersions): Promise<Reading> {
    const known = new Map<string, KnownVersion>();
    const byHand = new Set<string>();
    const shared = new Shared();
    let handled = 0;
    const isTurnOver = () => {
      handled += 1;
      return handled % NAMES_AT_A_TIME === 0;
    };
    const remember = (version: KnownVersion | undefined) => {
      if (version !== undefined) known.set(version.directoryName, version);
    };
    // Not all at once: hundreds of thousands of names take long to make, and a lot of memory.
    const names = await opendir(this.layout.root, { bufferSize: NAMES_AT_A_TIME });
    try {
      for (let entry = names.readSync(); entry !== null; entry = names.readSync()) {
        const { name } = entry;
        if (!name.startsWith('.') && directoryNameOfArchive(name) === undefined) {
          const target = entry.isSymbolicLink() ? this.ownTarget(name, before.get(name)) : undefined;
          if (target !== undefined) remember(this.behindLink(name, target, before.get(name), shared));
          else if (!entry.isFile() && isVersionByHand(name)) byHand.add(name);
        }
        if (isTurnOver()) await new Promise(setImmediate);
      }
    } finally {
      names.closeSync();
    }
    for (const name of this.problems.keys()) if (!byHand.has(name)) this.problems.delete(name);
    for (const name of byHand) {
      const version = before.get(name);
      remember(version?.origin === 'by-hand' ? version : await this.readByHand(name));
    }
    // A link that is replaced while names are being read may be left out: what is gone is asked for by its name.
    // Where case is folded, a name that was changed to another spelling would still answer.
    const folded = new Set(this.foldsCase ? [...known.keys()].map(fold) : []);
    for (const [name, version] of before) {
      if (known.has(name) || version.target === undefined || (this.foldsCase && folded.has(fold(name))))
        continue;
      const target = this.ownTarget(name, version);
      if (target !== undefined) remember(this.behindLink(name, target, version, shared));
      if (isTurnOver()) await new Promise(setImmediate);
    }
    return { known, byHand };
  }

  /** What is known of a directory that someone copied in; undefined when there is none, or something else. */
  async readByHand(name: string): Promise<KnownVersion | undefined> {
    const id = parseDirectoryName(name);
    const site = this.layout.pointer(name);
    try {
      const version = id && (await readByHand(id, site, () => this.docinfoOf(name)));
      // Published by now, maybe by another process: the next look sees it.
      const isPublished = this.layout.generationOf(name, linkTarget(site)) !== undefined;
      return isPublished ? undefined : version;
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

  /** Where a link leads; undefined when that is none of our generations. */
  private ownTarget(name: string, before: KnownVersion | undefined): string | undefined {
    const target = linkTarget(this.layout.pointer(name));
    if (target === before?.target) return target;
    return this.layout.generationOf(name, target) === undefined ? undefined : target;
  }

  private behindLink(
    name: string,
    target: string,
    before: KnownVersion | undefined,
    shared: Shared,
  ): KnownVersion | undefined {
    if (before?.target === target && before.isWhole) return before;
    const id = before ?? parseDirectoryName(name);
    return id && readGeneration(this.layout, shared.id(id), target, shared);
  }
}

/** Where a link leads; empty when it has just gone. */
function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
