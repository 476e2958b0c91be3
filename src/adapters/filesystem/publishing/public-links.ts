import { readdir } from 'node:fs/promises';
import { type CatalogueChange, KeyedMutex } from '../../../application/index.js';
import {
  ANYBODY,
  type Catalogue,
  isListed,
  isSameFolded,
  type Located,
  nameInBase,
  parseDirectoryName,
  type Reader,
  type VisibleCatalogue,
} from '../../../domain/index.js';
import { isDone, unless } from '../../../node/system-errors.js';
import { type Disk, linkTargetSync } from '../disk.js';
import { generationNameOf, type Layout } from '../layout.js';
import type { Report } from '../report.js';
import type { Pointers } from './pointers.js';

/**
 * Whether web servers send the files of a version that anybody may see, below one of its names. Hidden versions and previews need
 * `X-Robots-Tag`, previews have an end, a site that was built for one address may have to be read there, and charsets other than
 * UTF-8 belong to single files, of which web servers know nothing: Lectern itself sends these, or redirects.
 */
function isSent(name: string, located: Located): boolean {
  const { origin, record } = located.version;
  // The path in front of the name is an option of each server.
  const isElsewhere = record.base !== undefined && nameInBase(record.base) !== name;
  return origin === 'upload' && isListed(located) && !isElsewhere && record.charsets === undefined;
}

/** Names handled between yields to the event loop. */
const NAMES_AT_A_TIME = 200;
const LATEST = '-latest';

/**
 * Links in `.lectern/public`, for web servers that read the directory: one per uploaded version that is listed, and one for
 * each `<project>-latest` and alias that points to such a version. They follow the catalogue, and link directly to
 * generations. Several processes may update them at once.
 */
export class PublicLinks {
  /** Names whose links may be outdated. */
  private pending = new Set<string>();
  private readonly mutex = new KeyedMutex();
  private hasFailed = false;
  /** Everybody who may read the files that a web server sends: it checks no rights. */
  private reader = ANYBODY;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly pointers: Pointers,
    private readonly catalogue: () => Catalogue,
    private readonly report: Report,
  ) {}

  /** Marks the links affected by a change. */
  expect({ came, gone, settings }: CatalogueChange): void {
    for (const { directoryName, project } of [...came, ...gone]) {
      // The project's own name may be an alias of another one, which stands back for it.
      for (const name of [directoryName, project + LATEST, project]) this.pending.add(name);
      for (const alias of this.catalogue().settingsOf(project).aliases.keys()) {
        this.pending.add(`${project}-${alias}`);
      }
    }
    for (const { project, before, after } of settings) {
      this.pending.add(project + LATEST);
      const named = [before, after].flatMap(({ hidden, aliases }) => [...hidden, ...aliases.keys()]);
      for (const name of named) this.pending.add(`${project}-${name}`);
    }
  }

  /** Compares all links with the catalogue, and marks the wrong ones. */
  async expectAll(): Promise<void> {
    const unexpected = new Set(await readdir(this.layout.public));
    let handled = 0;
    for (const [name, located] of linksOf(this.seen())) {
      if (!isSent(name, located)) continue;
      unexpected.delete(name);
      const { version } = located;
      const target = this.layout.publicLinkTarget(version.directoryName, generationNameOf(version));
      if (linkTargetSync(this.layout.publicLink(name)) !== target) this.pending.add(name);
      handled += 1;
      if (handled % NAMES_AT_A_TIME === 0) await new Promise(setImmediate);
    }
    for (const name of unexpected) this.pending.add(name);
  }

  /**
   * Leaves out what the reader does not see, from now on.
   * @param compares whether all links are compared with that now
   * @throws Error when a link could not be set or removed: then it is tried again with each update
   */
  async showTo(reader: Reader, compares = true): Promise<void> {
    this.reader = reader;
    if (!compares) return;
    await this.expectAll();
    await this.update();
    if (this.hasFailed) throw new Error('links in .lectern/public could not be updated');
  }

  /** Updates the marked links one by one. Failed ones stay marked, and the first failure is reported. */
  async update(): Promise<void> {
    return this.mutex.run('update', () => this.updatePending());
  }

  private async updatePending(): Promise<void> {
    const names = this.pending;
    this.pending = new Set();
    let failure: unknown;
    for (const name of names) {
      try {
        await this.set(name);
      } catch (error) {
        this.pending.add(name);
        failure = error;
      }
    }
    if (failure !== undefined && !this.hasFailed) {
      this.report('could not update .lectern/public; trying again later', { err: failure });
    }
    this.hasFailed = failure !== undefined;
  }

  /** Sets one link; repeats when its version has changed meanwhile, as another process may have set it too. */
  private async set(name: string): Promise<void> {
    for (let target = this.targetOf(name); ; ) {
      await this.point(name, target);
      const now = this.targetOf(name);
      if (now === target) return;
      target = now;
    }
  }

  private async point(name: string, target: string | undefined): Promise<void> {
    const link = this.layout.publicLink(name);
    const before = linkTargetSync(link);
    if (before === target) return;
    if (target === undefined) {
      if (!this.isOfOtherSpelling(name, before ?? '')) await unless(['ENOENT'], this.disk.unlink(link));
      return;
    }
    if (before === undefined && (await isDone(['EEXIST'], this.disk.symlink(target, link)))) return;
    await this.pointers.replace(link, target);
  }

  /** Whether a link belongs to a version whose name is the same to the file system. */
  private isOfOtherSpelling(name: string, target: string): boolean {
    const [, , directoryName = '', generation = ''] = target.split('/');
    const project = parseDirectoryName(directoryName)?.project;
    const spelling = name.endsWith(LATEST) ? `${project}${LATEST}` : directoryName;
    if (spelling === name || !isSameFolded(spelling, name)) return false;
    const pointer = this.layout.pointerTarget(directoryName, generation);
    return linkTargetSync(this.layout.pointer(directoryName)) === pointer;
  }

  private seen(): VisibleCatalogue {
    return this.catalogue().seenBy(this.reader, new Date());
  }

  /** The target that a link should have; undefined when there should be no link. */
  private targetOf(name: string): string | undefined {
    const located = this.seen().locate(name);
    if (located === undefined || !isSent(name, located)) return undefined;
    const { directoryName } = located.version;
    // The pointer decides: the catalogue may be a second late.
    const pointed = linkTargetSync(this.layout.pointer(directoryName));
    const generation = pointed && this.layout.generationOf(directoryName, pointed);
    return generation && this.layout.publicLinkTarget(directoryName, generation);
  }
}

/** Names of all links, with the versions that they lead to. */
function* linksOf(seen: VisibleCatalogue): Generator<readonly [name: string, Located]> {
  for (const project of seen.projects) {
    for (const version of project.versions) yield [version.directoryName, { project, version }];
    yield [project.directoryName + LATEST, { project, version: project.latest }];
    for (const { alias, version } of project.aliases) {
      const name = `${project.directoryName}-${alias}`;
      if (version !== undefined && seen.resolve(name) === version) yield [name, { project, version }];
    }
  }
}
