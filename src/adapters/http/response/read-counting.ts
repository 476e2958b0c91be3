import type { IncomingHttpHeaders } from 'node:http';
import type { CountReads } from '../../../application/index.js';
import { isOfReader } from '../../../domain/index.js';
import type { Counts } from './answer.js';

/** Counts pages that were sent to readers, or to agents as Markdown, and those that they missed (contract section 11). */
export class ReadCounting {
  constructor(private readonly countReads: Pick<CountReads, 'count'>) {}

  count(
    { as, version, path }: Counts,
    { method, headers }: { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders },
    now = new Date(),
  ): void {
    const purpose = headers['sec-purpose'] ?? headers.purpose;
    if (isOfReader({ method, userAgent: headers['user-agent'], purpose })) {
      this.countReads.count(as, version, path, now);
    }
  }
}
