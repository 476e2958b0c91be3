import {
  isDrawn,
  type Located,
  nameInProject,
  type Project,
  projectInWords,
  Refusal,
  type Version,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { MAX_RESULTS, type SearchIndex, type SearchOptions, type Synonyms } from '../ports/search-index.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import { MAX_SEARCH_MS, oneOf, parseQuery } from '../search/index.js';
import { fileAt } from '../site-files.js';
import type { ProjectReads } from '../usage/show-usage.js';
import {
  type FoundPages,
  foundFacets,
  type MergedAnswer,
  type MergedResult,
  mergeVersions,
  type PageHit,
} from './found-pages.js';
import { allVersionsOf, type Place, placesOf, projectOfAll, type SearchPlace } from './search-places.js';

/** A search for pages; `limit` is up to `MAX_RESULTS`. */
export interface PageSearch
  extends SearchPlace,
    Omit<SearchOptions, 'synonyms' | 'reads' | 'isFolded' | 'preferred'> {
  /** As it was typed: any text is valid. */
  readonly query: string;
  /**
   * Whether a name in front of the query, such as that of `CMake: link with mold`, chooses the project that is searched, where
   * none is given. @default false
   */
  readonly mayNameProject?: boolean;
  /** Directory names of the reader's favourite projects: among equal pages, theirs come first. */
  readonly favourites?: readonly string[] | undefined;
  /** Client that waits for the results. */
  readonly waiter?: Waiter;
}

/** Says what the reader may see now: versions may come and go while a search runs. */
export type Look = () => VisibleCatalogue;

/** Parts that a search does without. */
export interface SearchPagesOptions {
  /** Called with versions that were searched but have no index; `isDamaged` if the search has found theirs unusable. */
  readonly onMissing?: (versions: readonly Version[], isDamaged: boolean) => void;
  readonly synonyms?: Synonyms | undefined;
  /** Reads of each project. Among equal pages, those of the most read project come first. */
  readonly reads?: Pick<ProjectReads, 'of'> | undefined;
}

interface Chosen {
  /** Keyed by revision. */
  readonly live: ReadonlyMap<string, Located>;
  readonly indexing: readonly Version[];
}

/** Times that a search is repeated because an index turned out to be missing, or a version went meanwhile. */
const MAX_REPEATS = 4;
/** Versions with an index that a search in all versions looks into. */
const MAX_VERSIONS = 50;

/**
 * Use case: finds pages of what is published at this moment. Without a version it looks into one version of each project:
 * the latest, or while that one is being read the newest before it. Hidden versions and previews have to be named. `all`
 * means the listed versions of a project.
 */
export class SearchPages {
  /** Versions known to have an index. */
  private readonly indexed = new WeakSet<Version>();

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly index: Pick<SearchIndex, 'has' | 'search'>,
    private readonly options: SearchPagesOptions = {},
  ) {}

  /**
   * A project that the words name is searched for the rest of them. Where it has no page with most of these, nor one for a
   * question, all projects are searched for the whole query.
   * @throws Refusal `project_not_found`; `version_not_found`; `preview_not_found`; `unavailable` when too many searches wait;
   *   the reason of the signal
   */
  async find(look: Look, { mayNameProject = false, ...search }: PageSearch): Promise<FoundPages> {
    const isOpen = mayNameProject && search.project === undefined;
    const named = isOpen ? await this.findInNamed(look, search) : undefined;
    return named ?? this.findIn(look, search);
  }

  private async findInNamed(look: Look, search: PageSearch): Promise<FoundPages | undefined> {
    const { query, isQuestion = false } = search;
    const isFree = parseQuery(query).project === undefined;
    const inWords = isFree ? projectInWords(look(), query, search) : undefined;
    if (inWords === undefined) return undefined;
    const { project, version, asked, rest } = inWords;
    // An older version may answer for the latest, but not to an agent, which is told of which one an answer is.
    const isVersionFixed = asked !== undefined || isQuestion;
    const place = {
      project: project.directoryName,
      version: isVersionFixed ? nameInProject(version) : undefined,
    };
    try {
      const found = await this.findIn(look, { ...search, ...place, query: rest });
      const { total, indexing, incomplete = false } = found;
      return total > 0 || indexing.length > 0 || incomplete ? { ...found, inWords } : undefined;
    } catch (error) {
      // It has gone meanwhile: nobody has named it as a place.
      if (error instanceof Refusal && error.code !== 'unavailable') return undefined;
      throw error;
    }
  }

  private async findIn(look: Look, { waiter, ...search }: PageSearch): Promise<FoundPages> {
    for (let repeats = 0; ; repeats += 1) {
      const seen = look();
      const all = projectOfAll(seen, search);
      const { live, indexing } = await (all === undefined
        ? this.choose(placesOf(seen, search))
        : this.chooseAll(all, search));
      if (indexing.length > 0) this.options.onMissing?.(indexing, false);
      const answer = await this.ask(search, live, all !== undefined, waiter);
      const { results, total, omittedTerms, facets, revisions = [], missing, incomplete, ...found } = answer;
      const lost = missing.flatMap((revision) => live.get(revision)?.version ?? []);
      for (const version of lost) this.indexed.delete(version);
      if (lost.length > 0) this.options.onMissing?.(lost, true);
      const hits = await this.hitsOf(results, live, look);
      const isOutdated = sizeOf(hits) < sizeOf(results) && seen !== look();
      const ranked = revisions.flatMap((revision) => live.get(revision)?.version.project ?? []);
      if ((lost.length > 0 || isOutdated) && incomplete !== true && repeats < MAX_REPEATS) continue;
      return {
        ...found,
        hits,
        total: total - (results.length - hits.length),
        // Unknown if a part was not searched, or not to the end.
        omittedTerms: live.size > lost.length && incomplete !== true ? omittedTerms : [],
        ...(facets === undefined ? {} : { facets: foundFacets(facets, projectsIn(live), ranked) }),
        indexing: [...indexing, ...lost],
        ...(incomplete === true ? { incomplete } : {}),
      };
    }
  }

  /** Searches in all versions together, or in one after the other: the best pages of each then have a place. */
  private async ask(
    { query, ...search }: PageSearch,
    live: Chosen['live'],
    isEach: boolean,
    waiter: Waiter | undefined,
  ): Promise<MergedAnswer> {
    const {
      project,
      favourites = [],
      limit,
      offset = 0,
      languages,
      facets,
      isQuestion,
      snippetLength,
    } = search;
    const { synonyms, reads } = this.options;
    const readsOf = ([revision, { version }]: readonly [string, Located]) =>
      [revision, reads?.of(version.project) ?? 0] as const;
    const options: SearchOptions = {
      ...{ limit, offset, languages, facets, isQuestion, snippetLength, synonyms },
      reads: reads && new Map([...live].map(readsOf)),
      isFolded: project === undefined,
      preferred: [...live].flatMap(([revision, { version }]) =>
        favourites.includes(version.project) ? revision : [],
      ),
    };
    const revisions = [...live].map(([revision, { version }]) => ({ revision, project: version.project }));
    if (!isEach) return this.index.search(query, revisions, options, waiter);
    const ofEach = { ...options, limit: Math.min(offset + limit, MAX_RESULTS), offset: 0 };
    const startedAt = performance.now();
    const answers = [];
    for (const revision of revisions) {
      if (answers.length > 0 && performance.now() - startedAt > MAX_SEARCH_MS) break;
      answers.push(await this.index.search(query, [revision], ofEach, waiter));
    }
    const merged = mergeVersions(answers, options);
    return answers.length < revisions.length ? { ...merged, incomplete: true } : merged;
  }

  /** The newest listed versions of a project that have an index. Where none has one, the latest or newest is to get it. */
  private async chooseAll(project: Project, search: SearchPlace): Promise<Chosen> {
    const live = new Map<string, Located>();
    const versions = allVersionsOf(project, search);
    for (const version of versions) {
      if (live.size === MAX_VERSIONS) break;
      if (await this.isIndexed(version)) live.set(version.revision, { project, version });
    }
    if (live.size > 0) return { live, indexing: [] };
    // A hidden one may be pinned as the latest: it would not be searched.
    const { latest } = project;
    return { live, indexing: versions.includes(latest) ? [latest] : versions.slice(0, 1) };
  }

  /** The first version of each place that has an index. */
  private async choose(places: readonly Place[]): Promise<Chosen> {
    const live = new Map<string, Located>();
    const indexing: Version[] = [];
    await Promise.all(
      places.map(async ({ project, versions }) => {
        for (const version of versions) {
          if (await this.isIndexed(version)) {
            live.set(version.revision, { project, version });
            return;
          }
          if (version === versions[0]) indexing.push(version);
        }
      }),
    );
    return { live, indexing };
  }

  private async isIndexed(version: Version): Promise<boolean> {
    if (this.indexed.has(version)) return true;
    const isThere = await this.index.has(version.revision);
    if (isThere) this.indexed.add(version);
    return isThere;
  }

  /** The results that lead to a page that is published now. */
  private async hitsOf(
    results: readonly MergedResult[],
    live: Chosen['live'],
    look: Look,
  ): Promise<PageHit[]> {
    const hitOf = async ({ revision, score: _, sameIn: __, alsoIn, ...result }: MergedResult) => {
      const place = live.get(revision);
      if (place === undefined || !(await this.isThere(place.version, result.path))) return [];
      const others = alsoIn?.flatMap((each) => live.get(each)?.version ?? []);
      return [{ ...place, ...result, ...(others === undefined ? {} : { alsoIn: others }) }];
    };
    const found = await Promise.all(
      results.map(async ({ sameIn = [], ...result }) =>
        (await Promise.all([result, ...sameIn].map(hitOf))).flat(),
      ),
    );
    const seen = look();
    const isNow = ({ directoryName, revision }: Version) =>
      seen.version(directoryName)?.revision === revision;
    return found.flatMap((equal) =>
      oneOf(
        equal
          .filter(({ version }) => isNow(version))
          .map((hit) => (hit.alsoIn === undefined ? hit : { ...hit, alsoIn: hit.alsoIn.filter(isNow) })),
      ),
    );
  }

  /** Whether the page exists. Files of a copied-in directory may go while its revision stays. */
  private async isThere(version: Version, path: string): Promise<boolean> {
    if (version.origin === 'upload') return true;
    // Pages that a script draws are at the address of the front page.
    const file = await fileAt(this.docs, version, isDrawn(path) ? 'index.html' : path);
    await file?.close();
    return file !== undefined;
  }
}

/** Number of pages, also of those that are folded. */
function sizeOf(results: readonly { readonly sameIn?: readonly unknown[] }[]): number {
  return results.reduce((sum, { sameIn = [] }) => sum + 1 + sameIn.length, 0);
}

function projectsIn(live: Chosen['live']): readonly Project[] {
  return [...new Set([...live.values()].flatMap(({ project }) => project ?? []))];
}
