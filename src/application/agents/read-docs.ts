import {
  decodedComponent,
  isDrawn,
  isPage,
  type Located,
  nameInProject,
  PageAddress,
  parseDirectoryName,
  quote,
  type VisibleCatalogue,
} from '../../domain/index.js';
import { blockPart, type MarkdownPage } from '../../formats/html/index.js';
import type { DrawnPages, DrawnPlace } from '../pages/drawn-pages.js';
import type { FindPage } from '../pages/find-page.js';
import type { MarkdownPages } from '../pages/read-markdown.js';
import type { SuggestInstead } from '../pages/suggest-instead.js';
import type { PageMarkdown } from '../ports/page-markdown.js';
import type { Waiter } from '../ports/waiter.js';
import type { CountReads } from '../usage/count-reads.js';
import { beginOf } from './shown-part.js';
import {
  type Cursor,
  charactersOf,
  cursorIn,
  cursorLine,
  locateVersion,
  noPage,
  shownPath,
  ToolFault,
  versionLine,
  type Wordings,
  wordingsOf,
} from './tool-texts.js';

/** With a question, a page is read from where it answers best. */
export interface PageQuestion extends Wordings {
  /** May be left out where `path` is an address. */
  readonly project?: string | undefined;
  readonly version?: string | undefined;
  /** Path in the site as an answer has it, or an address on this server; with `#anchor` or without. */
  readonly path: string;
  readonly anchor?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** As the answer before said it. */
  readonly cursor?: string | undefined;
}

const DEFAULT_TOKENS = 2_500;
const FRONT_PAGE = 'index.html';

/** Reads a page, or what fits of it, in Markdown. */
export class ReadDocs {
  constructor(
    private readonly pages: MarkdownPages,
    private readonly markdown: Pick<PageMarkdown, 'bestBlocks'>,
    private readonly drawn: Pick<DrawnPages, 'find'>,
    private readonly finding: Pick<FindPage, 'inAnySpelling' | 'moved'>,
    private readonly suggest: Pick<SuggestInstead, 'closestTo'>,
    private readonly countReads: Pick<CountReads, 'count'> | undefined,
  ) {}

  async answer(seen: VisibleCatalogue, question: PageQuestion, waiter: Waiter): Promise<string> {
    const asked = placeOf(seen, question);
    const chosen = locateVersion(seen, asked.project, asked.version);
    const drawn = await this.drawnAt(chosen, asked);
    const path = drawn?.path ?? (await this.fileOf(chosen, asked.path));
    const anchor = question.anchor === undefined && drawn !== undefined ? drawn.anchor : asked.anchor;
    const page = await this.pages.of(chosen.version, path, waiter);
    if (page === undefined) throw noPage(asked.path, []);
    // Further parts, requested by a cursor, belong to the same read.
    if (question.cursor === undefined) {
      // Readers of a drawn page read the file that draws it.
      this.countReads?.count('agents', chosen.version, isDrawn(path) ? FRONT_PAGE : path);
    }
    const characters = charactersOf(question.maxTokens ?? DEFAULT_TOKENS);
    const start = await this.startIn(page, question, anchor, characters, waiter);
    const { texts, next } = textFrom(page, start, characters);
    const isAtEnd = next.at === page.length;
    const rest = isAtEnd && page.isCut ? ['[the rest of the page is too long to be converted]'] : [];
    const more = isAtEnd ? [] : [cursorLine(next)];
    const head = [
      `title: ${page.title}`,
      `version: ${versionLine(chosen, asked.version)}`,
      `path: ${shownPath(path)}`,
    ];
    const note = noteOn(page, question, anchor);
    return [`---\n${[...head, ...note].join('\n')}\n---`, ...texts, ...rest, ...more].join('\n\n');
  }

  /**
   * Where to begin: at the top of a page that fits, else at the anchor. With a question, a page, or a section, that is too long is
   * read from where it answers best.
   */
  private async startIn(
    page: MarkdownPage,
    question: PageQuestion,
    anchor: string | undefined,
    characters: number,
    waiter: Waiter,
  ): Promise<Cursor> {
    const wordings = wordingsOf(question);
    if (question.cursor !== undefined) return startAt(page, question.cursor);
    const top = { at: 0, from: 0 };
    if (page.text.length <= characters) return top;
    const start = (anchor === undefined ? undefined : page.placeOf(anchor)) ?? top;
    if (wordings.length === 0) return start;
    const from = page.startOf(start.at) + start.from;
    const to = page.startOf(page.sectionAt(anchor)?.end ?? page.length);
    if (to - from <= characters) return start;
    const [pieces = []] = await this.markdown.bestBlocks(wordings.join('\n'), [{ page, anchor }], waiter);
    const best = pieces.find((piece) => piece.to > from && piece.from < to);
    if (best === undefined) return start;
    const begin = beginOf(page, best, characters);
    return page.startOf(begin.at) + begin.from < from ? start : begin;
  }

  private drawnAt(
    { version }: Located,
    { path, below }: AskedPlace,
  ): Promise<DrawnPlace | undefined> | undefined {
    return path === '' || path === FRONT_PAGE ? this.drawn.find(version, below) : undefined;
  }

  /** @param path percent-encoded, as answers have it, or the name of the file itself */
  private async fileOf(site: Located, path: string): Promise<string> {
    const pages = Array.from(new Set([decodedComponent(path), path]), (each) => PageAddress.of(each));
    for (const page of pages) {
      const found = page && (await this.found(site, page));
      if (found !== undefined && isPage(found)) return found;
    }
    const [page] = pages;
    throw noPage(path, page === undefined ? [] : await this.suggest.closestTo(page, site.version));
  }

  private async found(site: Located, page: PageAddress): Promise<string | undefined> {
    return (
      (await this.pageAt(site, page)) ??
      (await this.pageAt(site, sourceOf(page))) ??
      (await this.finding.moved(site, page))?.file.toString()
    );
  }

  private async pageAt({ version }: Located, page: PageAddress | undefined): Promise<string | undefined> {
    const found = page && (await this.finding.inAnySpelling(version, page));
    const path = found?.file.toString();
    return path !== undefined && isPage(path) ? path : undefined;
  }
}

/** The address of the page for that of its Markdown, as lists of pages have it. */
function sourceOf({ path }: PageAddress): PageAddress | undefined {
  const [, page] = /^(.+)\.md$/.exec(path.toString()) ?? [];
  return page === undefined ? undefined : PageAddress.of(page);
}

interface AskedPlace {
  readonly project: string;
  readonly version: string | undefined;
  readonly path: string;
  /** The end of the address, with `?` or `#`; empty without one. */
  readonly below: string;
  readonly anchor: string | undefined;
}

/** Takes an address apart: what is named beside it wins. */
function placeOf(seen: VisibleCatalogue, question: PageQuestion): AskedPlace {
  const [address = '', fragment] = question.path.split('#', 2);
  const [, below = ''] = /^[^?#]*(.*)$/s.exec(question.path) ?? [];
  const anchor =
    question.anchor?.replace(/^#/, '') ?? (fragment === undefined ? undefined : decodedComponent(fragment));
  const isAddress = /^https?:\/\//i.test(address);
  const path = address
    .replace(/^https?:\/\/[^/]*\/?/i, '')
    .replace(/[?].*$/s, '')
    .replace(/^\.?\/+/, '');
  const [directory = '', ...rest] = path.split('/');
  const located =
    isAddress || question.project === undefined ? seen.locate(decodedComponent(directory)) : undefined;
  if (located !== undefined) {
    const { version } = located;
    return {
      project: question.project ?? version.project,
      version: question.version ?? nameInProject(version),
      path: rest.join('/'),
      below,
      anchor,
    };
  }
  const project = question.project ?? parseDirectoryName(directory)?.project;
  if (project === undefined)
    throw new ToolFault(
      `Which project does ${quote(question.path)} belong to? Give 'project', and 'path' inside its site.`,
    );
  return { project, version: question.version, path: isAddress ? rest.join('/') : path, below, anchor };
}

/** The blocks that fit, or a part of the first one; and where what follows begins. */
function textFrom(page: MarkdownPage, { at, from }: Cursor, characters: number) {
  const [first, ...others] = page.blocks(at, page.fittingFrom(at, characters));
  if (first === undefined) return { texts: [], next: { at, from } };
  const { text, next } = blockPart(first, from, characters);
  return {
    texts: [text, ...others.map((block) => block.text)],
    next: next === undefined ? { at: at + 1 + others.length, from: 0 } : { at, from: next },
  };
}

/** Note where the anchor that was asked for does not exist, or may be in what is missing. */
function noteOn(page: MarkdownPage, { cursor }: PageQuestion, anchor: string | undefined): string[] {
  const isMissing = anchor !== undefined && anchor !== '' && page.placeOf(anchor) === undefined;
  if (!isMissing || cursor !== undefined) return [];
  const where = page.isCut ? 'of what is read of this page, which is too long,' : 'of this page';
  return [`note: nothing ${where} has the anchor ${quote(anchor)}`];
}

function startAt(page: MarkdownPage, cursor: string): Cursor {
  const start = cursorIn(cursor);
  if (start === undefined || start.from >= page.sizeOf(start.at))
    throw new ToolFault(`No cursor ${quote(cursor)} in this page. Leave 'cursor' out to begin.`);
  return start;
}
