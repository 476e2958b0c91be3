import type { DeadLink, LinkReport } from '../../formats/links/link-report.js';
import type { OutwardLink, ServerAddress } from '../../formats/links/outward-links.js';
import type { SitePage } from './search-index.js';
import type { Waiter } from './waiter.js';

/** Budget for reading the links of a version. Real sites stay below it; it bounds the cost of a hostile one. */
export interface LinkBudget {
  /** Links, each once a page. */
  readonly links: number;
  /** Ids. */
  readonly ids: number;
  /** Bytes of what is kept, before it is compressed. */
  readonly bytes: number;
  /** Time of the thread that reads, in milliseconds. */
  readonly milliseconds: number;
}

export const LINK_BUDGET: LinkBudget = {
  links: 2_000_000,
  ids: 5_000_000,
  bytes: 500_000_000,
  milliseconds: 60_000,
};

/** Links and ids of pages, as they were read. */
export interface ReadLinks {
  /** In the format that is kept with a version: gzip, which may be joined. */
  readonly file: Uint8Array;
  /** The rest of the budget. */
  readonly left: LinkBudget;
  /** Whether the budget was used up, so that the rest is not read. */
  readonly isCut: boolean;
}

/** Dead links of a version. */
export interface CheckedLinks {
  readonly report: LinkReport;
  /** `deadKey` of each dead link, sorted. */
  readonly keys: Uint32Array;
}

/** A site with the links of its pages. */
export interface LinkedSite {
  readonly file: Uint8Array;
  /** Paths of all files. */
  readonly paths: readonly string[];
  /** Text of `_redirects`; empty without one. */
  readonly redirects: string;
}

/** Asks for the links of a version that lead to sites of the server. */
export interface OutwardQuestion {
  /** Directory name of the version. */
  readonly directoryName: string;
  readonly at: ServerAddress;
  /** Max. links; a long one counts as several. */
  readonly max: number;
}

/** Links of a version that lead to sites of the server. */
export interface FoundOutward {
  readonly links: readonly OutwardLink[];
  /** Number of links, of which long ones count as several. */
  readonly weight: number;
  /** Whether there may be more. */
  readonly isCut: boolean;
}

/** For each place in a site what is missing there; undefined where readers get it. */
export type MissingPlaces = readonly (DeadLink['missing'] | undefined)[];

/**
 * Port for reading and checking the links of sites, away from the thread that answers requests. Pages are untrusted. Work waits in a
 * fair queue.
 */
export interface LinkChecking {
  /** @throws Refusal `unavailable` when too much waits */
  read(pages: readonly SitePage[], budget: LinkBudget, waiter?: Waiter): Promise<ReadLinks>;
  /**
   * @returns undefined when the links take more memory than the thread has
   * @throws Refusal `unavailable` when too much waits; an Error when the file is damaged
   */
  check(site: LinkedSite, waiter?: Waiter): Promise<CheckedLinks | undefined>;
  /** @throws as `check` */
  outward(file: Uint8Array, question: OutwardQuestion, waiter?: Waiter): Promise<FoundOutward>;
  /**
   * Looks for places in a site.
   * @param places addresses in the site, percent-encoded, without a leading `/`, with the fragment
   * @returns as `check`
   * @throws as `check`
   */
  missing(site: LinkedSite, places: readonly string[], waiter?: Waiter): Promise<MissingPlaces | undefined>;
  /** Ends background work. Safe to call twice. */
  close(): Promise<void>;
}
