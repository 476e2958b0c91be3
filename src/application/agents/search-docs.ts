import { nameInProject, quote, type VisibleCatalogue } from '../../domain/index.js';
import { type BlockRange, cutBlock, type MarkdownPage } from '../../formats/html/index.js';
import type { FoundPages, PageHit } from '../page-search/found-pages.js';
import type { Look, PageSearch, SearchPages } from '../page-search/search-pages.js';
import type { MarkdownPages } from '../pages/read-markdown.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import {
  charactersOf,
  locateVersion,
  NothingThere,
  shownSection,
  ToolFault,
  versionLine,
} from './tool-texts.js';

export interface DocsQuestion {
  readonly query: string;
  readonly project?: string | undefined;
  /** As it stands in a manifest or lock file. */
  readonly version?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/** Time for which a search waits for an index that is being made, and the interval at which it looks, in milliseconds. */
const MAX_WAIT_MS = 20_000;
const POLL_MS = 250;
const DEFAULT_TOKENS = 1_200;
const MAX_PAGES = 5;
/** Share of the answer that the best page may have. */
const MAX_SHARE_OF_FIRST = 0.5;
/** Max. characters of a heading that stands above what is shown. */
const MAX_HEADING = 300;
/** Min. characters that are left for a further section. */
const MIN_SECTION = 200;

/** Answers a question with sections of pages: of one version, or of the latest versions. */
export class SearchDocs {
  constructor(
    private readonly searchPages: Pick<SearchPages, 'find'>,
    private readonly pages: Pick<MarkdownPages, 'of'>,
    private readonly markdown: Pick<PageMarkdown, 'bestBlocks'>,
  ) {}

  async answer(look: Look, question: DocsQuestion, waiter: Waiter): Promise<string> {
    const { query, project, version, maxTokens = DEFAULT_TOKENS } = question;
    if (version !== undefined && project === undefined)
      throw new ToolFault("'version' needs 'project'. Call find_project for its name.");
    const chosen = project === undefined ? undefined : locateVersion(look(), project, version);
    const place = chosen && { project: chosen.version.project, version: nameInProject(chosen.version) };
    const search = { query, limit: MAX_PAGES, isQuestion: true, waiter, ...place };
    const { hits, indexing } = await this.searchOnceIndexed(look, search);
    const head = chosen === undefined ? [] : [versionLine(chosen, version)];
    const characters = charactersOf(maxTokens);
    const parts = await this.sectionsOf(look(), hits, query, characters, chosen !== undefined, waiter);
    if (parts.length === 0) {
      const Fault = chosen === undefined ? NothingThere : ToolFault;
      throw new Fault([...head, nothing(query, indexing.length > 0)].join('\n'));
    }
    return [...head, ...parts].join('\n\n');
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

  private async sectionsOf(
    seen: VisibleCatalogue,
    hits: readonly PageHit[],
    query: string,
    characters: number,
    isOneVersion: boolean,
    waiter: Waiter,
  ): Promise<string[]> {
    const found = [];
    for (const hit of hits) {
      const { version, path, anchor } = hit;
      // A version that has gone since it was found is not shown.
      if (seen.version(version.directoryName)?.revision !== version.revision) continue;
      const page = await this.pages.of(version, path, waiter);
      if (page !== undefined) found.push({ hit, page, anchor });
    }
    if (found.length === 0) return [];
    const best = await this.markdown.bestBlocks(query, found, waiter);
    const parts: string[] = [];
    let left = characters;
    for (const [at, { hit, page }] of found.entries()) {
      if (left < MIN_SECTION) break;
      const { version, path } = hit;
      const most = at === 0 ? Math.max(MIN_SECTION, left * MAX_SHARE_OF_FIRST) : left / (found.length - at);
      const prefix = isOneVersion ? '' : `${version.project} ${nameInProject(version)}: `;
      const part = sectionOf(page, best[at], path, prefix, most);
      left -= part.length + 2;
      parts.push(part);
    }
    return parts;
  }
}

function sectionOf(
  page: MarkdownPage,
  best: BlockRange | undefined,
  path: string,
  prefix: string,
  most: number,
): string {
  const start = best === undefined ? 0 : page.beginOf(best, most);
  const above = page.headingBefore(start);
  const anchor = above?.anchor ?? page.blocks(start, start + 1)[0]?.anchor;
  const head = [`[${prefix}${shownSection(path, anchor)}] ${page.title}`];
  if (above !== undefined) head.push(cutBlock(above, MAX_HEADING));
  const room = Math.max(1, most - head.join('\n\n').length - 2);
  const shown = page.blocks(start, page.fittingFrom(start, room));
  return [...head, ...shown.map((block) => cutBlock(block, room))].join('\n\n');
}

function nothing(query: string, isIndexing: boolean): string {
  return isIndexing
    ? 'These pages are being indexed. Ask again in some seconds, or read one with read_page.'
    : `Nothing found for ${quote(query)}. Try fewer words, or one identifier; list_pages has all pages.`;
}
