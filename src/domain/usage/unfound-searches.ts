import { DAY_MS, type Day, dayOf } from '../clock.js';
import { fold } from '../search-term.js';

/** Kinds of searchers. */
export const SEARCHERS = ['people', 'agents'] as const;
export type Searcher = (typeof SEARCHERS)[number];

/** Clients that have to search for the same before its text is kept. */
export const MIN_CLIENTS = 5;
/** Max. characters of a search that are kept, and tell it from others. */
export const MAX_KEPT_QUERY = 80;
/** Max. digests of a search and a client on one day; the oldest searches are forgotten first. */
const MAX_DIGESTS = 10_000;
/** Max. texts that are kept of one day. */
const MAX_TEXTS = 1_000;

/** A search that found nothing, by enough clients. */
export interface UnfoundSearch {
  /** Query on one line, as written by the client that completed the required number. */
  readonly query: string;
  readonly by: Searcher;
  /** Clients that searched for it, each counted once in two days. */
  readonly clients: number;
}

/** Searches that were counted on a day. */
export interface UnfoundDay {
  readonly day: Day;
  readonly searches: readonly UnfoundSearch[];
}

/** Sum of a search over several days. */
export type UnfoundSums = Readonly<Record<Searcher, readonly Omit<UnfoundSearch, 'by'>[]>>;

interface OpenDay {
  /** Digests of the clients that searched for it, by digest of the search. */
  readonly digests: Map<string, Set<string>>;
  /** Number of all digests of clients. */
  size: number;
  /** Searches by enough clients, by the same digest. */
  readonly known: Map<string, UnfoundSearch & { clients: number }>;
  isSaved: boolean;
}

/**
 * Counts searches that found nothing. Below `MIN_CLIENTS` nothing but digests is kept, of two days and in bounded memory. The digest
 * of a client depends on what it searched for, so that no two searches of a client can be told to be its own.
 */
export class UnfoundSearches {
  /** Today and yesterday, by number of days since 1970. */
  private readonly days = new Map<number, OpenDay>();

  /** @param digest keyed, so that nobody without the key can try texts and addresses */
  constructor(private readonly digest: (text: string) => string) {}

  note(by: Searcher, text: string, client: string, time: Date): void {
    const query = keptQuery(text);
    if (query === '') return;
    const search = this.digest(`${by}\n${fold(query)}`);
    const searcher = this.digest(`${search}\n${client}`);
    const { today, yesterday } = this.daysAt(time);
    if (today.digests.get(search)?.has(searcher) || yesterday?.digests.get(search)?.has(searcher)) return;
    addDigest(today, search, searcher);
    const known = today.known.get(search);
    const clients = sizeOf(today, search) + sizeOf(yesterday, search);
    if (known !== undefined) known.clients += 1;
    else if (clients >= MIN_CLIENTS && today.known.size < MAX_TEXTS) {
      const isNew = yesterday?.known.has(search) !== true;
      today.known.set(search, { query, by, clients: isNew ? clients : 1 });
    } else return;
    today.isSaved = false;
  }

  /** The searches of each day that have changed since they were returned the last time. @returns `undo` marks a day as changed */
  takeChanged(): readonly (UnfoundDay & { readonly undo: () => void })[] {
    return [...this.days].flatMap(([number, open]) => {
      if (open.isSaved) return [];
      open.isSaved = true;
      const searches = Array.from(open.known.values(), (each) => ({ ...each }));
      const undo = () => {
        open.isSaved = false;
      };
      return [{ day: dayOf(new Date(number * DAY_MS)), searches, undo }];
    });
  }

  /** Forgets what is older than yesterday. */
  forgetOld(time: Date): void {
    for (const number of this.days.keys()) if (number < numberOf(time) - 1) this.days.delete(number);
  }

  private daysAt(time: Date): { readonly today: OpenDay; readonly yesterday: OpenDay | undefined } {
    this.forgetOld(time);
    const number = numberOf(time);
    const today = this.days.get(number) ?? { digests: new Map(), size: 0, known: new Map(), isSaved: true };
    this.days.set(number, today);
    return { today, yesterday: this.days.get(number - 1) };
  }
}

/** Adds up the searches of several days and servers. @param max searches of each kind, those of the most clients */
export function sumOfSearches(days: Iterable<UnfoundDay>, max: number): UnfoundSums {
  const sums = { people: new Map<string, UnfoundSearch>(), agents: new Map<string, UnfoundSearch>() };
  for (const { searches } of days) {
    for (const each of searches) {
      const key = fold(each.query);
      const { query, clients } = sums[each.by].get(key) ?? { query: each.query, clients: 0 };
      sums[each.by].set(key, { query, by: each.by, clients: clients + each.clients });
    }
  }
  const most = (by: Searcher) =>
    [...sums[by].values()]
      .sort((a, b) => b.clients - a.clients || (a.query < b.query ? -1 : 1))
      .slice(0, max)
      .map(({ query, clients }) => ({ query, clients }));
  return { people: most('people'), agents: most('agents') };
}

/** The beginning of a search, on one line. */
function keptQuery(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return [...line].slice(0, MAX_KEPT_QUERY).join('').trim();
}

function addDigest(day: OpenDay, search: string, searcher: string): void {
  const searchers = day.digests.get(search) ?? new Set();
  day.digests.set(search, searchers.add(searcher));
  day.size += 1;
  for (const [oldest, { size }] of day.digests) {
    if (day.size <= MAX_DIGESTS) break;
    day.digests.delete(oldest);
    day.size -= size;
  }
}

function sizeOf(day: OpenDay | undefined, search: string): number {
  return day?.digests.get(search)?.size ?? 0;
}

function numberOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}
