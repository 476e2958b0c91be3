import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import type { CountReads } from '../../../application/index.js';
import { type Counted, isCountedPage, isOfReader, type Version } from '../../../domain/index.js';
import type { CountedPath, RequestState } from './request-log.js';

/** Counts pages that were sent to readers, or to agents as Markdown, and those that they missed (contract section 11). */
export class ReadCounting {
  constructor(private readonly countReads: Pick<CountReads, 'count'>) {}

  count(
    counted: Counted,
    { method, headers }: IncomingMessage,
    { version, path }: CountedPath,
    now = new Date(),
  ): void {
    const purpose = headers['sec-purpose'] ?? headers.purpose;
    if (isOfReader({ method, userAgent: headers['user-agent'], purpose })) {
      this.countReads.count(counted, version, path, now);
    }
  }

  /** Counts what goes through Koa. */
  readonly middleware: Middleware<RequestState> = async (ctx, next) => {
    await next();
    const { shows, markdownOf, misses } = ctx.state;
    const isSent = ctx.status === 200 || ctx.status === 304;
    if (isSent && shows !== undefined) {
      const page = countedPage(shows.version, shows.path.toString());
      if (page !== undefined) this.count('reads', ctx.req, page);
    } else if (isSent && markdownOf !== undefined) {
      const { version, path } = markdownOf;
      this.count('agents', ctx.req, { version, path: path.toString() });
    } else if (ctx.status === 404 && misses !== undefined) this.count('misses', ctx.req, misses);
  };
}

/** Returns the page whose reads are counted; undefined for a file that is no page. */
export function countedPage(version: Version, path: string): CountedPath | undefined {
  return isCountedPage(path) ? { version, path } : undefined;
}
