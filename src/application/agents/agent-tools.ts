import { Refusal } from '../../domain/index.js';
import type { Look, SearchPages } from '../page-search/search-pages.js';
import type { DrawnPages } from '../pages/drawn-pages.js';
import type { FindPage } from '../pages/find-page.js';
import type { ListPages } from '../pages/list-pages.js';
import { MarkdownPages } from '../pages/read-markdown.js';
import type { SuggestInstead } from '../pages/suggest-instead.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Sites } from '../ports/sites.js';
import type { Waiter } from '../ports/waiter.js';
import type { CountReads } from '../usage/count-reads.js';
import { listDocs, type PagesQuestion } from './list-docs.js';
import { type PageQuestion, ReadDocs } from './read-docs.js';
import { type DocsQuestion, SearchDocs } from './search-docs.js';
import { NothingThere, ToolFault } from './tool-texts.js';

/** The answer of a tool, in Markdown. */
export interface ToolAnswer {
  readonly text: string;
  /** Whether the text says why there is no answer. */
  readonly isError: boolean;
  /** Whether nothing fits among what the asker may read: others may get more. */
  readonly isEmpty: boolean;
}

export interface AgentToolParts {
  readonly docs: Sites;
  readonly markdown: Pick<PageMarkdown, 'bestBlocks' | 'convert'>;
  readonly drawnPages: DrawnPages;
  readonly listPages: ListPages;
  readonly pages: FindPage;
  readonly suggestInstead: SuggestInstead;
  /** Undefined: search is off. */
  readonly searchPages: SearchPages | undefined;
  /** Undefined: nothing is counted. */
  readonly countReads?: Pick<CountReads, 'count'> | undefined;
}

/** Use case: answers what coding agents ask, about the version that their project uses. Nothing can be changed by it. */
export class AgentTools {
  private readonly search: SearchDocs | undefined;
  private readonly read: ReadDocs;

  constructor(private readonly parts: AgentToolParts) {
    const { docs, markdown, drawnPages, pages, suggestInstead, searchPages, countReads } = parts;
    const markdownPages = new MarkdownPages(docs, markdown, drawnPages);
    this.search = searchPages && new SearchDocs(searchPages, markdownPages, markdown);
    this.read = new ReadDocs(markdownPages, markdown, drawnPages, pages, suggestInstead, countReads);
  }

  /** @throws ToolFault; refusals; the reason of the signal */
  searchDocs(look: Look, question: DocsQuestion, waiter: Waiter): Promise<string> {
    if (this.search === undefined) throw new ToolFault('Search is off on this server; use list_pages.');
    return this.search.answer(look, question, waiter);
  }

  /** @throws as `searchDocs` */
  readPage(look: Look, question: PageQuestion, waiter: Waiter): Promise<string> {
    return this.read.answer(look(), question, waiter);
  }

  /** @throws as `searchDocs` */
  listPages(look: Look, question: PagesQuestion): Promise<string> {
    return listDocs(this.parts.listPages, look(), question);
  }
}

/**
 * Returns the answer of a tool. Never throws for what was asked: a refusal is an answer for the model, too.
 * @throws any other error of the work
 */
export async function toolAnswer(work: () => Promise<string>): Promise<ToolAnswer> {
  try {
    return { text: await work(), isError: false, isEmpty: false };
  } catch (error) {
    if (error instanceof ToolFault || error instanceof Refusal)
      return { text: error.message, isError: true, isEmpty: error instanceof NothingThere };
    throw error;
  }
}
