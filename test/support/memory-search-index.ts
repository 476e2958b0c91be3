import {
  answer,
  Breadcrumbs,
  type BuiltIndex,
  type Candidate,
  type Definition,
  definitionsOf,
  FacetCounts,
  type FoundPage,
  facetKindOf,
  foundDefinition,
  inProject,
  type LiveRevision,
  MIN_PAGES_WITH_ALL,
  nameTyped,
  type PageWords,
  ProjectNames,
  pageWords,
  parseQuery,
  type Query,
  RANKING,
  type ReadablePage,
  readSite,
  resolveWords,
  type SearchAnswer,
  type SearchableSite,
  SearchBudget,
  type SearchIndex,
  type SearchOptions,
  type TypedName,
  tellingWords,
  type Waiter,
  type WeightedWord,
  type WordSource,
  weighWords,
  withSynonyms,
} from '../../src/application/index.js';
import { readTo } from '../../src/formats/html/text/page-text.js';
import { documentParsers } from '../../src/node/document-parsers.js';
import { contentOf } from './content-of.js';

interface IndexedRevision {
  readonly pages: readonly IndexedPage[];
  /** Breadcrumbs keyed by number. */
  readonly ways: ReadonlyMap<number, readonly string[]>;
}

interface IndexedPage extends ReadablePage {
  readonly definitions: readonly Definition[];
  readonly words: PageWords;
  /** Number of its way. */
  readonly way: number;
}

/** A search index in memory that looks at every page for every search. */
export class MemorySearchIndex implements SearchIndex {
  private readonly revisions = new Map<string, IndexedRevision>();

  async build(revision: string, site: SearchableSite, signal?: AbortSignal): Promise<BuiltIndex> {
    const pages: IndexedPage[] = [];
    const breadcrumbs = new Breadcrumbs();
    for await (const { path, page } of readSite(site, documentParsers, signal)) {
      const way = breadcrumbs.add(path, page.title);
      pages.push({ path, page, way, words: pageWords(path, page), definitions: definitionsOf(path, page) });
    }
    this.revisions.set(revision, { pages, ways: new Map(breadcrumbs.entries()) });
    return {
      pages: pages.length,
      cut: pages.filter(({ page, words }) => page.cut.length > 0 || words.isCut).length,
    };
  }

  async has(revision: string): Promise<boolean> {
    return this.revisions.has(revision);
  }

  async drop(revision: string): Promise<void> {
    this.revisions.delete(revision);
  }

  async search(
    typed: string,
    live: readonly LiveRevision[],
    options: SearchOptions,
    { signal }: Waiter = {},
  ): Promise<SearchAnswer> {
    signal?.throwIfAborted();
    const budget = SearchBudget.start();
    const asked = options.isQuestion === true ? tellingWords(typed) : undefined;
    const query = parseQuery(asked?.text ?? typed, options.synonyms, asked?.wordings);
    const wanted = inProject(query, live);
    const missing = wanted.map(({ revision }) => revision).filter((each) => !this.revisions.has(each));
    const pages = wanted.flatMap(({ revision }) => this.revisions.get(revision)?.pages ?? []);
    const { words, text, ...resolved } = resolveWords(
      query,
      [sourceOf(pages), new ProjectNames(wanted)],
      budget,
    );
    if (asked !== undefined) {
      const candidates = wanted.flatMap(({ revision, project }) => {
        const weighted = weighWords(words, pages.length, project);
        return (this.revisions.get(revision)?.pages ?? []).flatMap((page) =>
          candidateWithSome(revision, page, weighted, query),
        );
      });
      return { ...answer(query, candidates, options, budget), ...resolved, missing };
    }
    const name = nameTyped(text);
    const candidates = wanted.flatMap(({ revision, project }) => {
      const { pages: own, ways } = this.revisions.get(revision) ?? { pages: [], ways: new Map() };
      const weighted = weighWords(words, pages.length, project);
      return own.flatMap((page) => {
        const way = ways.get(page.way) ?? [];
        const withAll = candidatesWithAll(revision, page, way, weighted, name, query);
        return withAll.length > 0 || words.length < 2
          ? withAll
          : candidateWithSome(revision, page, weighted, query, way);
      });
    });
    const all = candidates.filter(({ page }) => page.hasAll);
    const facets = new FacetCounts();
    for (const { revision, project } of options.facets === true && words.length > 0 ? wanted : []) {
      const weighted = weighWords(words, pages.length, project);
      for (const page of this.revisions.get(revision)?.pages ?? [])
        if (hasAllOf(page, weighted)) facets.add(project, facetKindOf(page.page, page.definitions));
    }
    return {
      ...answer(query, all.length < MIN_PAGES_WITH_ALL ? candidates : all, options, budget),
      ...resolved,
      ...(options.facets === true ? { facets } : {}),
      missing,
    };
  }

  async close(): Promise<void> {}
}

function sourceOf(pages: readonly IndexedPage[]): WordSource {
  return {
    pagesWith: (token) => pages.filter(({ words }) => words.places.has(token)).length,
    hasPrefix: (token) => pages.some(({ words }) => hasPrefix(words, token)),
    spellingsNear: (length) =>
      pages.flatMap(({ words }) => words.spellings.filter((each) => each.length === length)),
  };
}

function candidatesWithAll(
  revision: string,
  indexed: IndexedPage,
  way: readonly string[],
  words: readonly WeightedWord[],
  name: TypedName,
  { pieces }: Query,
): Candidate[] {
  const { path, page } = indexed;
  const { title, kind, language, sections } = page;
  const facts = { path, title, kind, language, readTo: readTo(page), words, pieces };
  const candidate = (found: Pick<FoundPage, 'place' | 'hasAll' | 'definition'>): Candidate => {
    const foundPage = { ...facts, ...found };
    return {
      revision,
      page: foundPage,
      open: () => ({ ...foundPage, content: contentOf(sections), way }),
    };
  };
  const defining = indexed.definitions.filter(({ key }) => name.key !== '' && key.startsWith(name.key));
  if (defining.length > 0) {
    return withoutRepeated(defining).map((each) =>
      candidate({ place: 'about', hasAll: true, definition: foundDefinition(each, name) }),
    );
  }
  const hasAll = words.length > 0 && hasAllOf(indexed, words);
  return hasAll ? [candidate({ place: 'body', hasAll })] : [];
}

/** A page with any of the words. */
function candidateWithSome(
  revision: string,
  { path, page, words }: IndexedPage,
  weighted: readonly WeightedWord[],
  { pieces }: Query,
  way: readonly string[] = [],
): Candidate[] {
  const { title, kind, language, sections } = page;
  const telling = weighted.filter(({ isFiller }) => !isFiller);
  const score = telling.reduce((sum, word) => {
    const places = [...words.places].flatMap(([token, place]) => (isAsked(word, token) ? place : []));
    return sum + word.weight * Math.max(0, ...places.map((place) => RANKING.place[place]));
  }, 0);
  if (score === 0) return [];
  const facts = { path, title, kind, language, readTo: readTo(page), words: weighted, pieces };
  const found = { ...facts, place: 'body', hasAll: false } as const;
  return [{ revision, page: found, open: () => ({ ...found, content: contentOf(sections), way }), score }];
}

function hasAllOf(indexed: IndexedPage, words: readonly WeightedWord[]): boolean {
  return words.every((word) => word.isOfProject || word.isFiller || isIn(indexed, word));
}

/** Whether a page has the word, or a synonym. */
function isIn({ words }: IndexedPage, word: WeightedWord): boolean {
  if (word.isPrefix && hasPrefix(words, word.token)) return true;
  return withSynonyms(word).some(({ token }) => words.places.has(token));
}

function hasPrefix({ places }: PageWords, token: string): boolean {
  return [...places.keys()].some((each) => each.startsWith(token));
}

/** Whether a token is a word, a synonym, or begins with a word that may be unfinished. */
function isAsked(word: WeightedWord, token: string): boolean {
  return (
    withSynonyms(word).some((each) => each.token === token) || (word.isPrefix && token.startsWith(word.token))
  );
}

/** Each section once, by its shortest name. */
function withoutRepeated(definitions: readonly Definition[]): Definition[] {
  const known = new Set<number>();
  return [...definitions]
    .sort((a, b) => a.key.length - b.key.length)
    .filter(({ section }) => !known.has(section) && known.add(section));
}
