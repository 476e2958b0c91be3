import {
  descriptionOfFrontPage,
  type FrontPage,
  frontPageTitle,
  MAX_DOWNLOAD_LABEL,
  type NamedDownload,
} from '../../domain/index.js';
import { WorkTime } from '../work-time.js';
import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, parsingMsFor, READING_LIMITS } from './reading-limits.js';
import { TextRun } from './text-run.js';

const ICON = /(?:^|\s)icon(?:\s|$)/i;

/**
 * Returns what the head of a site's front page says about the project; undefined when it says nothing.
 * @param hasFile whether the site has a file at a path
 */
export function frontPageOf(html: string, hasFile: (path: string) => boolean): FrontPage | undefined {
  const head = new FrontPageHead();
  const start = headOf(html);
  parseHtml(
    start,
    head,
    new Budget(READING_LIMITS, new WorkTime(parsingMsFor(READING_LIMITS, start.length))),
  );
  const title = frontPageTitle(head.titleText);
  const description = descriptionOfFrontPage(head.description);
  const icon = head.icons.map(pathOf).find((path) => path !== undefined && hasFile(path));
  if (title === undefined && description === undefined && icon === undefined) return undefined;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
  };
}

/** Endings of files that readers take with them. */
const DOWNLOAD = /\.(?:pdf|epub)$/i;
/** A rough test for links to them, for speed: few pages have one. */
const MAYBE_DOWNLOAD = /\.(?:pdf|epub)\b/i;

/**
 * Returns the PDF and EPUB files below the site's root that a front page links to, with the text of each link. A page with a
 * `<base>` has none.
 */
export function linkedDownloads(html: string): readonly NamedDownload[] {
  if (!MAYBE_DOWNLOAD.test(html)) return [];
  const links = new DownloadLinks();
  parseHtml(html, links, new Budget(READING_LIMITS, new WorkTime(parsingMsFor(READING_LIMITS, html.length))));
  if (links.hasBase) return [];
  return links.found.map(({ file, text }) => {
    const label = String(text);
    return label === '' || [...label].length > MAX_DOWNLOAD_LABEL ? { file } : { file, label };
  });
}

class DownloadLinks implements HtmlEvents {
  readonly found: { readonly file: string; readonly text: TextRun }[] = [];
  private current: TextRun | undefined;
  private depth = 0;
  private linkDepth = 0;
  /** Whether relative links may lead elsewhere. */
  hasBase = false;

  open(name: string, { href }: Attributes): void {
    this.depth += 1;
    if (name === 'base' && href !== undefined) this.hasBase = true;
    const file = name === 'a' && href !== undefined ? pathOf(href) : undefined;
    if (file === undefined || !DOWNLOAD.test(file)) return;
    this.current = new TextRun();
    this.linkDepth = this.depth;
    this.found.push({ file, text: this.current });
  }

  close(): void {
    if (this.depth === this.linkDepth) this.current = undefined;
    this.depth -= 1;
  }

  text(part: string): void {
    this.current?.add(part);
  }
}

function headOf(html: string): string {
  const end = html.search(/<body[\s>]/i);
  return end < 0 ? html : html.slice(0, end);
}

/** The path that a link of the front page leads to, if that is a file of the site. */
function pathOf(href: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(href)) return undefined;
  const path = href.replace(/[?#].*$/s, '').replace(/^(?:\.\/)+/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

class FrontPageHead implements HtmlEvents {
  readonly icons: string[] = [];
  description = '';
  private readonly head = new PageHead();
  private depth = 0;
  private titleDepth = 0;

  get titleText(): string {
    return this.head.titleText;
  }

  open(name: string, attributes: Attributes): void {
    this.depth += 1;
    this.head.open(name, attributes);
    if (name === 'title') this.titleDepth = this.depth;
    if (name === 'meta' && attributes.name?.toLowerCase() === 'description') {
      this.description ||= attributes.content ?? '';
    }
    if (name === 'link' && ICON.test(attributes.rel ?? '')) this.icons.push(attributes.href ?? '');
  }

  close(): void {
    if (this.depth === this.titleDepth) this.head.closeTitle();
    this.depth -= 1;
  }

  text(part: string): void {
    this.head.text(part);
  }
}
