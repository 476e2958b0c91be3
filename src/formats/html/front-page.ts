import { descriptionOfFrontPage, type FrontPage, titleOfFrontPage } from '../../domain/index.js';
import { PageHead } from './page-head.js';
import { type Attributes, type HtmlEvents, parseHtml } from './parse-html.js';
import { Budget, deadlineOf, READING_LIMITS } from './reading-limits.js';

const ICON = /(?:^|\s)icon(?:\s|$)/i;

/**
 * Returns what the head of a site's front page says about the project; undefined when it says nothing.
 * @param hasFile whether the site has a file at a path
 */
export function frontPageOf(html: string, hasFile: (path: string) => boolean): FrontPage | undefined {
  const head = new FrontPageHead();
  const start = headOf(html);
  parseHtml(start, head, new Budget(READING_LIMITS, deadlineOf(READING_LIMITS, start.length)));
  const title = titleOfFrontPage(head.titleText);
  const description = descriptionOfFrontPage(head.description);
  const icon = head.icons.map(pathOf).find((path) => path !== undefined && hasFile(path));
  if (title === undefined && description === undefined && icon === undefined) return undefined;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(icon !== undefined && { icon }),
  };
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
