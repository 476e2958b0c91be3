import { type Located, locateNamed, type Project } from '../domain/index.js';
import type { DiskUse } from './ports/disk-use.js';
import type { DocReader, PublisherNames } from './ports/doc-store.js';

/** Max. number of versions whose publishers are looked up: each takes a read. */
const MAX_LOOKED_UP = 500;
/** Publishers looked up at the same time. */
const BATCH = 16;

/** Use case: shows one project. */
export class ShowProject {
  constructor(
    private readonly docs: Pick<DocReader, 'catalogue' | 'diskUse'>,
    private readonly names?: PublisherNames,
  ) {}

  /** @returns the project, or undefined when there is none of this name */
  async execute(directoryName: string): Promise<Project | undefined> {
    return this.docs.catalogue().project(directoryName);
  }

  /** Like `execute`, for pages: a project whose versions are all hidden is none. */
  async listed(directoryName: string): Promise<Project | undefined> {
    const project = await this.execute(directoryName);
    return project?.listed.length === 0 ? undefined : project;
  }

  /** Returns the bytes that a project takes in the store. */
  async diskUseOf({ directoryName }: Project): Promise<DiskUse> {
    return this.docs.diskUse(directoryName);
  }

  /**
   * Returns a version or preview and its project, by its directory name or an alias such as `<project>-latest`. Expired
   * previews are not found.
   */
  async ofVersion(directoryName: string, now = new Date()): Promise<Located | undefined> {
    return this.docs.catalogue().at(now).locate(directoryName);
  }

  /** Returns a version or preview and its project, by its name in the project: a label, an alias, `latest`, `~<name>`. */
  async named(project: string, name: string, now = new Date()): Promise<Located | undefined> {
    return locateNamed(this.docs.catalogue().at(now), project, name);
  }

  /** Returns the names of the tokens that published the newest 500 listed versions, by label, as far as they are known. */
  async publishersOf({ listed }: Project): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    const newest = listed.slice(-MAX_LOOKED_UP);
    for (let from = 0; from < newest.length; from += BATCH) {
      const batch = newest.slice(from, from + BATCH);
      const found = await Promise.all(batch.map((version) => this.names?.publisherOf(version)));
      for (const [index, { label }] of batch.entries()) {
        const name = found[index];
        if (name !== undefined) names.set(label, name);
      }
    }
    return names;
  }
}
