import { type ChosenVersion, nameInProject, quote, type VisibleCatalogue } from '../../domain/index.js';
import { type FoundPages, foundNothing, type PageHit } from '../page-search/found-pages.js';
import type { Look, PageSearch, SearchPages } from '../page-search/search-pages.js';
import type { MarkdownPages } from '../pages/read-markdown.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import type { CountReads } from '../usage/count-reads.js';
import { type AnswerPage, type FoundPart, fillAnswer, nameOfHit } from './shown-sections.js';
import {
  charactersOf,
  locateVersion,
  NothingThere,
  ToolFault,
  versionLine,
  type Wordings,
  wordingsOf,
} from './tool-texts.js';

export interface DocsQuestion extends Wordings {
  readonly project?: string | undefined;
  /** As it stands in a manifest or lock file. */
  readonly version?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/** Time for which a search waits for an index that is being made, and the interval at which it looks, in milliseconds. */
const MAX_WAIT_MS = 20_000;
const POLL_MS = 250;
const DEFAULT_TOKENS = 1_200;
/** Pages that are found, and those of them that are read. The others may be named. */
const MAX_FOUND = 15;
const MAX_READ = 5;

/** Answers a question with sections of pages: of one version, or of the latest versions. */
export class SearchDocs {
  constructor(
    private readonly searchPages: Pick<SearchPages, 'find'>,
    private readonly pages: Pick<MarkdownPages, 'of'>,
    private readonly markdown: Pick<PageMarkdown, 'bestBlocks'>,
    private readonly countReads?: Pick<CountReads, 'countUnfound'>,
  ) {}

  async answer(look: Look, question: DocsQuestion, waiter: Waiter): Promise<string> {
    const { project, version, maxTokens = DEFAULT_TOKENS } = question;
    const wordings = wordingsOf(question);
    if (wordings.length === 0) throw new ToolFault("Give 'query', or up to three wordings in 'queries'.");
    if (version !== undefined && project === undefined)
      throw new ToolFault("'version' needs 'project'. Call find_project for its name.");
    const chosen = project === undefined ? undefined : locateVersion(look(), project, version);
    const asked = { isQuestion: true, mayNameProject: true, waiter, limit: MAX_FOUND };
    const query = wordings.join('\n');
    const found = await this.searchOnceIndexed(look, { ...asked, query, ...placeOf(chosen) });
    const { hits, indexing, inWords } = found;
    if (foundNothing(found)) this.countReads?.countUnfound('agents', wordings[0] ?? '', waiter.address);
    const located = chosen ?? inWords;
    const pages = new ReadPages(this.pages, look(), chosen !== undefined, waiter);
    const ofPages = await this.partsOf(
      inWords?.rest ?? query,
      await pages.read(hits.slice(0, MAX_READ)),
      waiter,
    );
    const ofWordings: FoundPart[] = [];
    for (const wording of wordings.length === 1 ? [] : wordings) {
      const alone = { ...asked, query: wording, limit: 1, ...placeOf(located) };
      const { hits: best } = await this.searchPages.find(look, alone);
      const [[part] = []] = await this.partsOf(wording, await pages.read(best), waiter);
      if (part !== undefined) ofWordings.push(part);
    }
    const names = hits.slice(MAX_READ).map((hit) => nameOfHit(hit, pages.prefixOf(hit)));
    const texts = fillAnswer({ ofPages, ofWordings, names }, charactersOf(maxTokens));
    const head = located === undefined ? [] : [versionLine(located, version ?? inWords?.asked)];
    if (texts.length === 0) {
      const Fault = chosen === undefined ? NothingThere : ToolFault;
      throw new Fault([...head, nothing(wordings[0] ?? '', indexing.length > 0)].join('\n'));
    }
    return [...head, ...texts].join('\n\n');
  }

  /** Waits for an index that is being made: asking again costs an agent more than waiting. */
  private async searchOnceIndexed(look: Look, search: PageSearch): Promise<FoundPages> {
    const startedAt = performance.now();
    for (;;) {
      const found = await this.searchPages.find(look, search);
      const isWaiting = found.hits.length === 0 && found.indexing.length > 0;
      if (!isWaiting || performance.now() - startedAt > MAX_WAIT_MS) return found;
      await new Promise((wake) => setTimeout(wake, POLL_MS));
      search.waiter?.signal?.throwIfAborted();
    }
  }

  /** The parts of each page that answer best, the best one first: at least its beginning. */
  private async partsOf(
    query: string,
    pages: readonly AnswerPage[],
    waiter: Waiter,
  ): Promise<readonly (readonly FoundPart[])[]> {
    if (pages.length === 0) return [];
    const pieces = await this.markdown.bestBlocks(query, pages, waiter);
    return pages.map((of, at) => {
      const found = (pieces[at] ?? []).map((piece): FoundPart => ({ of, piece }));
      return found.length === 0 ? [{ of, piece: undefined }] : found;
    });
  }
}

/** The pages of one answer in Markdown: each is read once, so that its parts can be told apart. */
class ReadPages {
  private readonly known = new Map<string, AnswerPage>();

  constructor(
    private readonly pages: Pick<MarkdownPages, 'of'>,
    private readonly seen: VisibleCatalogue,
    private readonly isNamed: boolean,
    private readonly waiter: Waiter,
  ) {}

  /** Reads pages. A page whose version has gone since it was found is left out. */
  async read(hits: readonly PageHit[]): Promise<readonly AnswerPage[]> {
    const found: AnswerPage[] = [];
    for (const hit of hits) {
      const page = await this.pageOf(hit);
      if (page !== undefined) found.push(page);
    }
    return found;
  }

  /** The project and version that stand in front of the path of a page. */
  prefixOf({ version }: PageHit): string {
    return this.isNamed ? '' : `${version.project} ${nameInProject(version)}: `;
  }

  private async pageOf(hit: PageHit): Promise<AnswerPage | undefined> {
    const { version, path, anchor, readTo, sameIn } = hit;
    const key = `${version.revision}\n${path}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.seen.version(version.directoryName)?.revision !== version.revision) return undefined;
    const page = await this.pages.of(version, path, this.waiter);
    if (page === undefined) return undefined;
    const prefix = this.prefixOf(hit);
    const found = { page, path, prefix, anchor, readTo, sameIn, project: version.project };
    this.known.set(key, found);
    return found;
  }
}

function placeOf(chosen: Pick<ChosenVersion, 'version'> | undefined) {
  return chosen && { project: chosen.version.project, version: nameInProject(chosen.version) };
}

function nothing(query: string, isIndexing: boolean): string {
  return isIndexing
    ? 'These pages are being indexed. Ask again in a few seconds, or read one with read_page.'
    : `Nothing found for ${quote(query)}. Try fewer words, or one identifier; list_pages has all pages.`;
}
