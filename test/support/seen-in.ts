import { ANYBODY, type Catalogue, type VisibleCatalogue } from '../../src/domain/index.js';

/** Returns the part of a store's catalogue that anybody may see at a time. */
export function seenIn(
  docs: { readonly catalogue: () => Catalogue },
  now: Date = new Date(),
): VisibleCatalogue {
  return docs.catalogue().seenBy(ANYBODY, now);
}
