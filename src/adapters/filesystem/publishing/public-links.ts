import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { CatalogueChange } from '../../../application/index.js';
import { type Catalogue, isSameFolded, parseDirectoryName, type Version } from '../../../domain/index.js';
import { generationNameOf } from '../catalogue/read-generation.js';
import { type Disk, errnoOf, NOTHING_THERE, unless } from '../disk.js';
import type { Layout } from '../layout.js';
import type { Report } from '../report.js';
import type { Pointers } from './pointers.js';

/** Names handled before other work gets its turn. */
const NAMES_AT_A_TIME = 200;
const LATEST = '-latest';

/**
 * The links in `.lectern/public`, for web servers that read the directory: one for each uploaded version, and one for
 * `<project>-latest` where the latest is uploaded. They follow the catalogue, and lead right into the generation.
 * Several processes may keep them at once.
 */
export class PublicLinks {
  /** Names whose links may be wrong. */
  private pending = new Set<string>();
  private running: Promise<void> = Promise.resolve();
  private hasFailed = false;

  constructor(
    private readonly disk: Disk,
    private readonly layout: Layout,
    private readonly pointers: Pointers,
    private readonly catalogue: () => Catalogue,
    private readonly report: Report,
  ) {}

  /** Marks the links that a change concerns. */
  expect({ came, gone }: CatalogueChange): void {
    for (const { directoryName, project } of [...came, ...gone]) {
      this.pending.add(directoryName).add(project + LATEST);
    }
  }

  /** Marks the links that are not as they should be, after a look at all of them. */
  async expectAll(): Promise<void> {
    const unexpected = new Set(await readdir(this.layout.public));
    let handled = 0;
    for (const project of this.catalogue().projects) {
      const links = [
        ...project.versions.map((version): [string, Version] => [version.directoryName, version]),
        [project.directoryName + LATEST, project.latest] as const,
      ];
      for (const [name, version] of links) {
        if (version.origin !== 'upload') continue;
        unexpected.delete(name);
        const target = this.layout.publicLinkTarget(version.directoryName, generationNameOf(version));
        if (linkTarget(this.layout.publicLink(name)) !== target) this.pending.add(name);
        handled += 1;
        if (handled % NAMES_AT_A_TIME === 0) await new Promise(setImmediate);
      }
    }
    for (const name of unexpected) this.pending.add(name);
  }

  /** Sets right what is marked; one after the other. What fails stays marked for the next time, and is told of. */
  async update(): Promise<void> {
    this.running = this.running.then(() => this.updatePending());
    return this.running;
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
      this.report('could not update .lectern/public; it will be tried again', { err: failure });
    }
    this.hasFailed = failure !== undefined;
  }

  /** Sets one link, and again when the version has changed meanwhile: another process may have set it in between. */
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
    const before = linkTarget(link);
    if (before === target) return;
    if (target === undefined) {
      if (!this.isOfOtherSpelling(name, before ?? '')) await unless(['ENOENT'], this.disk.unlink(link));
      return;
    }
    if (before === undefined) {
      const made = this.disk.symlink(target, link).then(() => true);
      if ((await unless(['EEXIST'], made)) === true) return;
    }
    await this.pointers.replace(link, target);
  }

  /** Whether a link is another version's, whose name the file system takes for this one. */
  private isOfOtherSpelling(name: string, target: string): boolean {
    const [, , directoryName = '', generation = ''] = target.split('/');
    const project = parseDirectoryName(directoryName)?.project;
    const spelling = name.endsWith(LATEST) ? `${project}${LATEST}` : directoryName;
    if (spelling === name || !isSameFolded(spelling, name)) return false;
    const pointer = this.layout.pointerTarget(directoryName, generation);
    return linkTarget(this.layout.pointer(directoryName)) === pointer;
  }

  /** The target that a link has to have now; undefined when there should be no link. */
  private targetOf(name: string): string | undefined {
    const version = this.catalogue().resolve(name);
    if (version?.origin !== 'upload') return undefined;
    const { directoryName } = version;
    // The pointer is what counts: the catalogue may be a second late.
    const pointed = linkTarget(this.layout.pointer(directoryName));
    const generation = pointed && this.layout.generationOf(directoryName, pointed);
    return generation && this.layout.publicLinkTarget(directoryName, generation);
  }
}

/**
 * The target of a link; undefined when there is no link. Sync: a tenth of the cost of a promise, for each version at
 * start.
 * @throws an error with an errno code
 */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (['EINVAL', ...NOTHING_THERE].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
