import { type FoundPages, foundNothing, type UseCases } from '../../../application/index.js';
import { isOfReader } from '../../../domain/index.js';
import type { Asked } from '../response/answer.js';

/** Counts a search of a reader that found nothing, with `--usage`. */
export function countUnfound(
  { method, headers, waiter }: Asked,
  query: string,
  found: FoundPages,
  { countReads }: Pick<UseCases, 'countReads'>,
): void {
  const purpose = headers['sec-purpose'] ?? headers.purpose;
  if (foundNothing(found) && isOfReader({ method, userAgent: headers['user-agent'], purpose })) {
    countReads?.countUnfound('people', query, waiter.address);
  }
}
