/**
 * The log is not the one that this node has read, or has a hole. What it knows may be wrong, so nothing may be deleted or
 * written because of it. The message is a sentence for operators.
 */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';

  /** @param seen what is wrong, as a part of a sentence */
  constructor(seen: string) {
    super(
      `${seen}; until the log of the object store is whole again, nothing is published, changed or deleted: see 'When the log is broken' in docs/object-store.md`,
    );
  }
}
