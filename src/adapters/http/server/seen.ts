import type { IncomingMessage } from 'node:http';
import type { Reader, VisibleCatalogue } from '../../../domain/index.js';

/**
 * Returns what a reader may see at a moment.
 * @throws Refusal `unavailable` when the store is out of reach
 */
export type SeenBy = (reader: Reader, now: Date) => VisibleCatalogue;

/** What the reader of each request may see: found once, when it comes in, so that one answer has one view. */
export class Seen {
  private readonly found = new WeakMap<IncomingMessage, VisibleCatalogue>();

  constructor(
    private readonly seenBy: SeenBy,
    private readonly readerOf: (request: IncomingMessage) => Reader,
  ) {}

  /**
   * Returns what was found for the request, or looks now.
   * @throws as `SeenBy`
   */
  in({ req }: { readonly req: IncomingMessage }, now?: Date): VisibleCatalogue {
    let seen = this.found.get(req);
    if (seen === undefined) {
      seen = this.now({ req }, now);
      this.found.set(req, seen);
    }
    return seen;
  }

  /**
   * Looks again, for an answer that took its time or shows what the request has changed.
   * @throws as `SeenBy`
   */
  now({ req }: { readonly req: IncomingMessage }, now = new Date()): VisibleCatalogue {
    return this.seenBy(this.readerOf(req), now);
  }
}
