import type { PageAddress } from './page-address.js';
import type { RedirectTarget } from './redirect-rule.js';

/** Max. addresses that are tried along the redirects for one request. */
const MAX_TRIED = 20;

/** An address to which redirects lead. */
interface Way {
  /** From where its rule leads there. */
  readonly at: PageAddress;
  readonly target: RedirectTarget;
  /** Target of the first of several rules. */
  readonly first: RedirectTarget | undefined;
}

/**
 * Yields the addresses to which redirects lead, the shortest way first and each once, until whoever follows them finds a page at
 * one and stops. There are `MAX_TRIED` at most.
 */
export function* waysAlong(
  asked: PageAddress,
  lookUp: (page: PageAddress) => readonly RedirectTarget[],
): Generator<Way, void> {
  const tried = new Set([asked.stem.toString()]);
  const ways: { readonly at: PageAddress; readonly first?: RedirectTarget }[] = [{ at: asked }];
  for (const { at, first } of ways) {
    for (const target of lookUp(at)) {
      const name = target.page.stem.toString();
      if (tried.has(name)) continue;
      if (tried.size > MAX_TRIED) return;
      tried.add(name);
      yield { at, target, first };
      ways.push({ at: target.page, first: first ?? target });
    }
  }
}
