import type { Project } from '../../domain/index.js';
import type { Sites } from '../ports/doc-store.js';
import type { DiskUse } from './disk-use.js';

/** Use case: tells of a project what the store knows besides its versions. */
export class ShowProject {
  constructor(private readonly docs: Sites) {}

  /** Returns the bytes that a project takes in the store. */
  async diskUseOf({ directoryName }: Project): Promise<DiskUse> {
    return this.docs.diskUse(directoryName);
  }
}
