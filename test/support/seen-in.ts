import { ANYBODY, type Catalogue, type VisibleCatalogue } from '../../src/domain/index.js';

/** What anybody may see in a store at a moment. */
export function seenIn(
  docs: { readonly catalogue: () => Catalogue },
  now: Date = new Date(),
): VisibleCatalogue {
  return docs.catalogue().seenBy(ANYBODY, now);
}
