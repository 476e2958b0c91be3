import { nameInProject, quote, searchedTo, type VisibleCatalogue } from '../../domain/index.js';
import type { MarkdownPage } from '../../formats/html/index.js';
import type { FoundPages, PageHit } from '../page-search/found-pages.js';
import type { Look, PageSearch, SearchPages } from '../page-search/search-pages.js';
import type { MarkdownPages } from '../pages/read-markdown.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import type { FoundPiece } from './best-blocks.js';
import type { Stretch } from './page-pieces.js';
import { beginOf, filledFrom, textFrom } from './shown-part.js';
import {
  type Cursor,
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
/** Sections of an answer, where fewer pages are found: the next best pieces of them are shown, too. */
const MIN_SECTIONS = 3;
/** Projects with an equal section that are named. */
const MAX_NAMED = 3;
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
    for (const { version, path, anchor, readTo, sameIn } of hits) {
      // A version that has gone since it was found is not shown.
      if (seen.version(version.directoryName)?.revision !== version.revision) continue;
      const page = await this.pages.of(version, path, waiter);
      const prefix = isOneVersion ? '' : `${version.project} ${nameInProject(version)}: `;
      if (page !== undefined)
        found.push({ page, path, prefix, anchor, readTo, sameIn, project: version.project });
    }
    if (found.length === 0) return [];
    const pieces = await this.markdown.bestBlocks(query, found, waiter);
    const sections = found.map((of, at) => ({ of, piece: pieces[at]?.[0] }));
    const others = found
      .flatMap((of, at) => (pieces[at] ?? []).slice(1).map((piece, rank) => ({ of, piece, rank })))
      .sort((a, b) => a.rank - b.rank);
    const wanted = Math.max(found.length, Math.min(MIN_SECTIONS, found.length + others.length));
    const shown: (ShownSection & { readonly of: FoundSection })[] = [];
    let left = characters;
    for (const { of, piece } of [...sections, ...others]) {
      if (left < MIN_SECTION || shown.length >= wanted) break;
      if (shown.some((section) => section.of === of && isIn(section, piece))) continue;
      const isFirst = shown.length === 0;
      const most = isFirst
        ? Math.max(MIN_SECTION, left * MAX_SHARE_OF_FIRST)
        : left / (wanted - shown.length);
      const section = sectionOf(of, piece, most);
      left -= section.text.length + 2;
      shown.push({ of, ...section });
    }
    return shown.map(({ text }) => text);
  }
}

interface FoundSection {
  readonly page: MarkdownPage;
  readonly path: string;
  /** Project and version in front of the path. */
  readonly prefix: string;
  /** As `readTo` of `SearchResult`. */
  readonly readTo: string | undefined;
  /** As `sameIn` of `PageHit`. */
  readonly sameIn: readonly PageHit[] | undefined;
}

/** A section as it is shown, and where it stands in the text of the page. */
interface ShownSection extends Stretch {
  readonly text: string;
}

function isIn({ from, to }: Stretch, piece: FoundPiece | undefined): boolean {
  return piece !== undefined && piece.match.from >= from && piece.match.from < to;
}

function sectionOf(
  { page, path, prefix, readTo, sameIn = [] }: FoundSection,
  piece: FoundPiece | undefined,
  most: number,
): ShownSection {
  const named = sameIn.slice(0, MAX_NAMED).map(({ version }) => version.project);
  const more = sameIn.length > MAX_NAMED ? ` and ${sameIn.length - MAX_NAMED} more` : '';
  const equal = sameIn.length === 0 ? '' : ` (such a page also in ${named.join(', ')}${more})`;
  const lineFor = ({ at }: Cursor) => {
    const anchor = (page.headingBefore(at) ?? page.blocks(at, at + 1)[0])?.anchor;
    const cut = readTo === undefined ? '' : `\n\n(${searchedTo(readTo)})`;
    return `[${prefix}${shownSection(path, anchor)}] ${page.title}${equal}${cut}`;
  };
  const top = { at: 0, from: 0 };
  const room =
    most - lineFor(piece === undefined ? top : { at: page.blockAt(piece.from), from: 0 }).length - 2;
  const begin = piece === undefined ? top : filledFrom(page, beginOf(page, piece, room), room);
  const line = lineFor(begin);
  const texts = textFrom(page, begin, most - line.length - 2);
  const from = page.startOf(begin.at) + begin.from;
  const text = [line, ...texts].join('\n\n');
  return { text, from, to: from + text.length - line.length };
}

function nothing(query: string, isIndexing: boolean): string {
  return isIndexing
    ? 'These pages are being indexed. Ask again in some seconds, or read one with read_page.'
    : `Nothing found for ${quote(query)}. Try fewer words, or one identifier; list_pages has all pages.`;
}
