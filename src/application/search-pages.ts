import {
  isFoundAmongAll,
  isSearched,
  LATEST,
  type Located,
  type Project,
  type Refusal,
  refuse,
  type Version,
  type VisibleCatalogue,
  versionsThatAnswer,
} from '../domain/index.js';
import { fileAt } from './pages/file-at.js';
import type { Sites } from './ports/doc-store.js';
import type { SearchIndex, Searching, SearchResult, SnippetRun } from './ports/search-index.js';

/** What somebody searches for. */
export interface PageSearch {
  /** As it was typed: any text is valid. */
  readonly query: string;
  /** Directory name of the project to search in. */
  readonly project?: string;
  /** Version of that project: its label, an alias, `latest`, or `~<name>` of a preview. */
  readonly version?: string;
  /** Max. number of results, up to `MAX_RESULTS`. */
  readonly limit: number;
  /** Results to leave out. @default 0 */
  readonly offset?: number;
  /** Languages of the reader, best first. */
  readonly languages?: readonly string[];
  /** Who searches. */
  readonly searching?: Searching;
}

/** Says what the reader may see now: versions may come and go while a search runs. */
export type Look = () => VisibleCatalogue;

/** A page that was found. */
export interface PageHit extends Located {
  /** Path below the site, decoded. */
  readonly path: string;
  readonly title: string;
  /** Section that answers best. None means the page as a whole. */
  readonly heading?: string;
  /** Id of the section, as in the page: not percent-encoded. */
  readonly anchor?: string;
  readonly snippet: readonly SnippetRun[];
}

export interface FoundPages {
  /** By rank. */
  readonly hits: readonly PageHit[];
  /** Results that can be paged through. */
  readonly total: number;
  /** The query with words that are known, if a word was not. */
  readonly correctedTo?: string;
  /** Versions that are still being read. An older one may have answered for them. */
  readonly indexing: readonly Version[];
  /** Whether the search was stopped before it was done, so that there may be more. Absent: it was not. */
  readonly incomplete?: boolean;
}

/** A project, with the versions that may answer, best first. */
interface Place {
  /** Undefined for a preview of a project without versions. */
  readonly project: Project | undefined;
  readonly versions: readonly Version[];
}

interface Chosen {
  /** By revision. */
  readonly live: ReadonlyMap<string, Located>;
  readonly indexing: readonly Version[];
}

/** Times that a search is repeated because an index turned out to be missing, or a version went meanwhile. */
const MAX_REPEATS = 4;

/**
 * Use case: finds pages of what is published at this moment. Without a version it looks into one version of each project:
 * the latest, or while that one is being read the newest before it. Hidden versions and previews have to be named.
 */
export class SearchPages {
  /** Versions known to have an index. */
  private readonly indexed = new WeakSet<Version>();

  constructor(
    private readonly docs: Pick<Sites, 'open'>,
    private readonly index: Pick<SearchIndex, 'has' | 'search'>,
    /** Called with versions that were searched but have no index; `isDamaged` if the search has found theirs unusable. */
    private readonly onMissing: (versions: readonly Version[], isDamaged: boolean) => void = () => {},
  ) {}

  /**
   * @throws Refusal `project_not_found`; `version_not_found`; `preview_not_found`; `unavailable` when too many searches wait;
   *   the reason of the signal
   */
  async find(look: Look, { searching, ...search }: PageSearch): Promise<FoundPages> {
    for (let repeats = 0; ; repeats += 1) {
      const seen = look();
      const { live, indexing } = await this.choose(placesOf(seen, search));
      if (indexing.length > 0) this.onMissing(indexing, false);
      const { results, total, correctedTo, missing, incomplete } = await this.index.search(
        search.query,
        [...live].map(([revision, { version }]) => ({ revision, project: version.project })),
        search,
        searching,
      );
      const lost = missing.flatMap((revision) => live.get(revision)?.version ?? []);
      for (const version of lost) this.indexed.delete(version);
      if (lost.length > 0) this.onMissing(lost, true);
      const hits = await this.hitsOf(results, live, look);
      const isOutdated = hits.length < results.length && seen !== look();
      if ((lost.length > 0 || isOutdated) && incomplete !== true && repeats < MAX_REPEATS) continue;
      return {
        hits,
        total: total - (results.length - hits.length),
        ...(correctedTo === undefined ? {} : { correctedTo }),
        indexing: [...indexing, ...lost],
        ...(incomplete === true ? { incomplete } : {}),
      };
    }
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
    results: readonly SearchResult[],
    live: Chosen['live'],
    look: Look,
  ): Promise<PageHit[]> {
    const found = await Promise.all(
      results.map(async ({ revision, score: _, ...result }) => {
        const place = live.get(revision);
        return place !== undefined && (await this.isThere(place.version, result.path))
          ? [{ ...place, ...result }]
          : [];
      }),
    );
    const seen = look();
    return found
      .flat()
      .filter(({ version }) => seen.version(version.directoryName)?.revision === version.revision);
  }

  /** Whether the page exists. Files of a copied-in directory may go while its revision stays. */
  private async isThere(version: Version, path: string): Promise<boolean> {
    if (version.origin === 'upload') return true;
    const file = await fileAt(this.docs, version, path);
    await file?.close();
    return file !== undefined;
  }
}

/** Where to search. Projects that are not to be searched have no place. */
function placesOf(seen: VisibleCatalogue, { project: name, version: label }: PageSearch): readonly Place[] {
  if (name === undefined) {
    const projects = seen.projects.filter(isFoundAmongAll);
    return projects.map((project) => ({ project, versions: versionsThatAnswer(project) }));
  }
  const found = seen.named(name, label ?? LATEST);
  if (found === undefined) throw whyNotFound(seen, name, label ?? LATEST);
  return isSearched(found) ? [{ project: found.project, versions: versionsIn(found, label) }] : [];
}

function versionsIn({ project, version }: Located, label: string | undefined): readonly Version[] {
  if (project === undefined || (label !== undefined && label !== LATEST)) return [version];
  return label === LATEST || isFoundAmongAll(project) ? versionsThatAnswer(project) : [];
}

function whyNotFound(seen: VisibleCatalogue, project: string, name: string): Refusal {
  if (name.startsWith('~')) return refuse.previewNotFound(project, name.slice(1));
  return seen.project(project) === undefined
    ? refuse.projectNotFound(project)
    : refuse.versionNotFound(project, name);
}
