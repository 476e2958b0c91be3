import type { Project } from '../domain/index.js';
import type { DiskUse } from './disk-use.js';
import type { PublisherNames, Sites } from './ports/doc-store.js';

/** Max. number of versions whose publishers are looked up: each takes a read. */
const MAX_LOOKED_UP = 500;
/** Publishers looked up at the same time. */
const BATCH = 16;

/** Use case: tells of a project what the store knows besides its versions. */
export class ShowProject {
  constructor(
    private readonly docs: Sites,
    private readonly names?: PublisherNames,
  ) {}

  /** Returns the bytes that a project takes in the store. */
  async diskUseOf({ directoryName }: Project): Promise<DiskUse> {
    return this.docs.diskUse(directoryName);
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
