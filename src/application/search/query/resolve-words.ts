import { typosBetween } from '../../../domain/closest-names.js';
import { bytesOfEntry, LruCache } from '../../../domain/lru-cache.js';
import type { Correction, LiveRevision, SearchAnswer } from '../../ports/search-index.js';
import type { KnownWord, WeightedWord } from '../found-page.js';
import { RANKING as R } from '../ranking-weights.js';
import { SearchBudget, SHARE } from '../search-budget.js';
import { isSigned } from '../telling-words.js';
import { tokensOf, type Word, wordsOf } from '../words/tokens.js';
import { signatureOf, typosAllowed } from '../words/typos.js';
import { type Query, type QueryWord, respelled, withSynonyms } from './parse-query.js';

/** Max. bytes of names of projects and their words: some 15,000 ordinary names. */
const MAX_NAMES_BYTES = 10_000_000;
const kept = new LruCache<readonly Word[]>(MAX_NAMES_BYTES, (words, key) =>
  bytesOfEntry(key, 200 * words.length + 2 * key.length),
);

/** Words of the index of one revision. */
export interface WordSource {
  /** Number of pages that have a token. */
  pagesWith(token: string): number;
  /** Whether a page has a longer token that begins with this one. */
  hasPrefix(token: string): boolean;
  /** Words of titles, names and headings of one length that may be within so many typos of a word, at most `most`. */
  spellingsNear(length: number, signature: number, typos: number, most: number): readonly string[];
}

interface ResolvedWords extends Pick<SearchAnswer, 'correctedTo' | 'corrections' | 'omittedTerms'> {
  readonly words: readonly KnownWord[];
  /** The query as typed, with the corrections, without `project:`. */
  readonly text: string;
}

/** Words of a query that are taken for typos. */
const MAX_CORRECTED = 3;
/** Spellings that a word is compared with, in all revisions together. */
const MAX_SPELLINGS = 20_000;
/** Spellings that are compared between two looks at the budget. */
const PER_LOOK = 256;
/** Spellings of equal distance that are compared by how many pages have them. */
const MAX_COMPARED = 40;

/**
 * Looks up each word of a query. A word that no page has is replaced by one that differs by a typo, else by its parts if
 * it is an identifier. A word for which there is neither is kept, with no pages. Other spellings are looked for of the first
 * few words only, and as far as the budget suffices.
 */
export function resolveWords(
  { text, words, project }: Query,
  sources: readonly WordSource[],
  budget = SearchBudget.start(),
): ResolvedWords {
  let compared = 0;
  const resolved = words.map((word): ResolvedWord => {
    const whole = counted(word, sources);
    if (word.isFiller || isAnswered(whole, sources)) return { word, known: [whole] };
    const mayBeTypo = typosIn(word) > 0 && compared < MAX_CORRECTED;
    if (mayBeTypo) compared += 1;
    return { word, ...resolveUnknown(whole, mayBeTypo, sources, budget) };
  });
  const known = resolved.flatMap((each) => each.known);
  return {
    words: known,
    omittedTerms: omittedIn(text, known, sources),
    ...correctionsOf(text, project, resolved),
  };
}

/** Returns typed words that no page has. A run of writing without spaces is one of them when no page has any of its pairs. */
function omittedIn(text: string, words: readonly KnownWord[], sources: readonly WordSource[]): string[] {
  const typed = new Map<number, { readonly term: string; isKnown: boolean }>();
  for (const word of words) {
    const term = typed.get(word.start) ?? { term: text.slice(word.start, word.end), isKnown: false };
    term.isKnown ||= word.isFiller || isAnswered(word, sources);
    typed.set(word.start, term);
  }
  return [...typed.values()].filter(({ isKnown }) => !isKnown).map(({ term }) => term);
}

interface ResolvedWord {
  readonly word: QueryWord;
  readonly known: readonly KnownWord[];
  /** The spelling that replaces the word. */
  readonly spelling?: string;
}

function correctionsOf(
  text: string,
  project: string | undefined,
  resolved: readonly ResolvedWord[],
): Pick<ResolvedWords, 'text' | 'correctedTo' | 'corrections'> {
  const corrected = resolved.filter(({ spelling }) => spelling !== undefined);
  if (corrected.length === 0) return { text, corrections: [] };
  // From the end on, so that positions stay as they are.
  const query = corrected.reduceRight(
    (typed, { word, spelling }) => typed.slice(0, word.start) + spelling + typed.slice(word.end),
    text,
  );
  const filter = project === undefined ? '' : `project:${project} `;
  const corrections = corrected.map(
    ({ word, spelling = '' }): Correction => ({ from: text.slice(word.start, word.end), to: spelling }),
  );
  return { text: query, correctedTo: filter + query.trim(), corrections };
}

function resolveUnknown(
  whole: KnownWord,
  mayBeTypo: boolean,
  sources: readonly WordSource[],
  budget: SearchBudget,
): Pick<ResolvedWord, 'known' | 'spelling'> {
  const word: QueryWord = whole;
  const parts = word.parts.map((part) => counted({ ...word, folded: part, token: part, parts: [] }, sources));
  const isInParts = parts.length > 0 && parts.every((part) => isAnswered(part, sources));
  const hasSign = isSigned(word.folded);
  // No typo: `path` is meant where no page has `$path`.
  if (isInParts && hasSign && !word.folded.startsWith('--')) return { known: parts };
  const spelling = mayBeTypo ? closestSpelling(word, sources, budget) : undefined;
  if (spelling !== undefined) return { known: [counted(respelled(word, spelling), sources)], spelling };
  return { known: isInParts && (hasSign || parts.length > 1) ? parts : [whole] };
}

/** Counts the pages of a word, those with a synonym, too: a word is as rare as the pages that it finds. */
function counted(word: QueryWord, sources: readonly WordSource[]): KnownWord {
  const pages = withSynonyms(word).reduce((sum, { token }) => sum + pagesWith(token, sources), 0);
  return { ...word, pages };
}

function isAnswered({ pages, isPrefix, token }: KnownWord, sources: readonly WordSource[]): boolean {
  return pages > 0 || (isPrefix && sources.some((source) => source.hasPrefix(token)));
}

function pagesWith(token: string, sources: readonly WordSource[]): number {
  return sources.reduce((sum, source) => sum + source.pagesWith(token), 0);
}

/** Typos that a word may have. */
function typosIn({ folded, isCjk }: QueryWord): number {
  return isCjk ? 0 : typosAllowed(folded.length);
}

/** The spelling with the fewest typos; of several, one with the same first letter, then the most common. */
function closestSpelling(
  word: QueryWord,
  sources: readonly WordSource[],
  budget: SearchBudget,
): string | undefined {
  const { folded } = word;
  const most = typosIn(word);
  let least = Number.POSITIVE_INFINITY;
  let closest: string[] = [];
  let compared = 0;
  for (const spelling of spellingsAround(folded, most, sources)) {
    compared += 1;
    if (compared % PER_LOOK === 0 && budget.isSpent(SHARE.comparing)) break;
    const typos = typosBetween(folded, spelling, most) + (spelling[0] === folded[0] ? 0 : 0.5);
    if (typos < least) closest = [];
    least = Math.min(least, typos);
    if (typos === least && typos < Number.POSITIVE_INFINITY) closest.push(spelling);
  }
  return closest
    .slice(0, MAX_COMPARED)
    .map((spelling) => ({ spelling, pages: pagesWith(tokensOf(spelling)[0] ?? '', sources) }))
    .sort((a, b) => b.pages - a.pages || (a.spelling < b.spelling ? -1 : 1))
    .find(({ pages }) => pages > 0)?.spelling;
}

/** Spellings that may be close to a word, nearest lengths first. Revisions come one after the other: they may be many. */
function spellingsAround(folded: string, most: number, sources: readonly WordSource[]): Set<string> {
  const spellings = new Set<string>();
  const signature = signatureOf(folded);
  const lengths = [folded.length];
  for (let typos = 1; typos <= most; typos += 1) lengths.push(folded.length - typos, folded.length + typos);
  for (const source of sources) {
    for (const length of lengths) {
      const left = MAX_SPELLINGS - spellings.size;
      if (left === 0) return spellings;
      for (const each of source.spellingsNear(length, signature, most, left)) spellings.add(each);
    }
  }
  return spellings;
}

/** The words of the names of projects, as if each stood in one page: none is a typo, and a typo may mean one. */
export class ProjectNames implements WordSource {
  private readonly tokens = new Set<string>();
  private readonly spellings = new Set<string>();

  constructor(live: readonly LiveRevision[]) {
    for (const { project } of live) {
      for (const { folded, tokens } of wordsOfName(project)) {
        this.spellings.add(folded);
        for (const token of tokens) this.tokens.add(token);
      }
    }
  }

  pagesWith(token: string): number {
    return this.tokens.has(token) ? 1 : 0;
  }

  hasPrefix(token: string): boolean {
    return [...this.tokens].some((each) => each.startsWith(token));
  }

  spellingsNear(length: number): string[] {
    return [...this.spellings].filter((each) => each.length === length);
  }
}

/** The words of a project's name. They are kept: each search asks for those of all projects. */
export function wordsOfName(project: string): readonly Word[] {
  return kept.get(project) ?? kept.set(project, wordsOf(project));
}

/** The words with weights for the pages of one project: rare words weigh more, and the weights add up to 1. */
export function weighWords(words: readonly KnownWord[], allPages: number, project: string): WeightedWord[] {
  const ofProject = wordsOfProject(words, project);
  const rarities = words.map(
    (word) =>
      rarityOf(word, allPages) * (ofProject.has(word) ? R.ofProject : 1) * (word.isFiller ? R.filler : 1),
  );
  const sum = rarities.reduce((total, each) => total + each, 0);
  return words.map((word, at) => ({
    ...word,
    weight: (rarities[at] ?? 0) / sum,
    isOfProject: ofProject.has(word),
  }));
}

/** The words that the name of a project has, so that its pages need not. None if it has all: it is about its pages then. */
export function wordsOfProject(words: readonly QueryWord[], project: string): ReadonlySet<QueryWord> {
  const ofName = wordsOfName(project);
  const telling = words.filter(({ isFiller }) => !isFiller);
  const named = telling.filter(({ token }) => ofName.some(({ tokens }) => tokens.includes(token)));
  return new Set(named.length === telling.length ? [] : named);
}

function rarityOf({ pages }: KnownWord, allPages: number): number {
  const without = Math.max(0, allPages - pages);
  return Math.log(1 + (without + 0.5) / (pages + 0.5)) + 0.1;
}
