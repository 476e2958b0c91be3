import { DrawnSigns } from '../html/drawn-signs.js';
import { isNeverShown } from '../html/left-out.js';
import { PLACEHOLDER } from '../html/link-forms.js';
import { PageHead } from '../html/page-head.js';
import { type Attributes, readTags, type TagEvents } from '../html/parse-html.js';
import { Budget, READING_LIMITS } from '../html/reading-limits.js';
import type { WorkTime } from '../work-time.js';

/** Max. characters of a link that counts. */
const MAX_LINK = 2_000;
/** Attributes with links, by element. */
const LINKING = new Map<string, readonly string[]>([
  ['a', ['href']],
  ['area', ['href']],
  ['link', ['href']],
  ['img', ['src']],
  ['script', ['src']],
  ['iframe', ['src']],
  ['frame', ['src']],
  ['source', ['src']],
  ['video', ['src', 'poster']],
  ['audio', ['src']],
  ['embed', ['src']],
  ['object', ['data']],
  ['track', ['src']],
]);
const WITH_SRCSET = new Set(['img', 'source']);
const WITH_NAME = new Set(['a', 'map']);
/** Relations of `<link>` that no reader follows. */
const NOT_FOLLOWED = /(?:^|\s)(?:canonical|alternate|preconnect|dns-prefetch)(?:\s|$)/i;
const STYLE_SHEET = /(?:^|\s)stylesheet(?:\s|$)/i;
/** Any scheme but those of pages: `mailto:`, `data:`. */
const OTHER_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;

/** The links of a page, and the places in it that links lead to. */
interface LinksOfPage {
  /** Links to pages and files, as the page has them, each once, wherever they lead. */
  readonly links: readonly string[];
  /** Values of `id`, and of `name` of `a` and `map`. */
  readonly ids: ReadonlySet<string>;
  /** The first `<base href>`. */
  readonly base: string | undefined;
  /** Whether there may be other ids: scripts draw the page, it leads elsewhere by itself, or it was not read to its end. */
  readonly hasOtherIds: boolean;
}

/**
 * Reads the links and ids that the markup of a page has. Never throws.
 * @param time after which reading ends
 */
export function linksOf(html: string, time: WorkTime): LinksOfPage {
  const budget = new Budget(READING_LIMITS, time);
  const found = new LinkReader();
  readTags(html, found, budget);
  const { links, ids, base } = found;
  return { links: [...links], ids, base, hasOtherIds: found.hasOtherContent || budget.stopped };
}

class LinkReader implements TagEvents {
  readonly attributes = new Set('href src srcset poster data type rel id name http-equiv content'.split(' '));
  readonly links = new Set<string>();
  readonly ids = new Set<string>();
  base: string | undefined;
  private readonly head = new PageHead();
  private readonly drawn = new DrawnSigns();
  /** Open templates, whose content is no part of the page. */
  private templates = 0;
  /** The outermost open element whose text is not shown, and the number of elements of its name inside of each other. */
  private unseen: string | undefined;
  private depth = 0;

  /** Whether scripts draw the page, or it leads elsewhere by itself. */
  get hasOtherContent(): boolean {
    return this.drawn.areThere || this.head.redirects;
  }

  start(name: string, attributes: Attributes): void {
    const { id } = attributes;
    if (id !== undefined) this.ids.add(id);
    if (WITH_NAME.has(name) && attributes.name !== undefined) this.ids.add(attributes.name);
    this.look(name, attributes);
    if (this.templates > 0) return;
    if (name === 'meta') this.takeHead(attributes);
    else if (name === 'base') this.base ??= attributes.href;
    else this.takeLinks(name, attributes);
  }

  end(name: string): void {
    if (name === 'template' && this.templates > 0) this.templates -= 1;
    if (name !== this.unseen) return;
    this.depth -= 1;
    if (this.depth === 0) this.unseen = undefined;
  }

  get readsText(): boolean {
    return this.unseen === undefined && this.drawn.needsText;
  }

  text(part: string): void {
    if (this.unseen === undefined) this.drawn.text(part);
  }

  /** Looks at what tells whether scripts draw the page. */
  private look(name: string, { src }: Attributes): void {
    if (name === 'script' && (src !== undefined || this.templates === 0)) this.drawn.hasScripts = true;
    if (name === 'template') this.templates += 1;
    if (this.unseen === name) this.depth += 1;
    else if (this.unseen === undefined && (name === 'title' || isNeverShown(name))) {
      this.unseen = name;
      this.depth = 1;
    } else if (this.unseen === undefined) this.drawn.open(name);
  }

  private takeHead(attributes: Attributes): void {
    this.head.open('meta', attributes);
    const { leadsTo } = this.head;
    if (leadsTo !== undefined) this.add(leadsTo);
  }

  private takeLinks(name: string, attributes: Attributes): void {
    const { rel, type, src, srcset } = attributes;
    if (name === 'link' && rel !== undefined && NOT_FOLLOWED.test(rel) && !STYLE_SHEET.test(rel)) return;
    if (name === 'input') {
      if (src !== undefined && type?.toLowerCase() === 'image') this.add(src);
      return;
    }
    for (const attribute of LINKING.get(name) ?? []) {
      const link = attributes[attribute];
      if (link !== undefined) this.add(link);
    }
    if (srcset !== undefined && WITH_SRCSET.has(name))
      for (const link of candidatesIn(srcset)) this.add(link);
  }

  private add(link: string): void {
    const trimmed = link.trim();
    if (trimmed === '' || trimmed.length > MAX_LINK) return;
    if (!OTHER_SCHEME.test(trimmed) && !PLACEHOLDER.test(trimmed)) this.links.add(trimmed);
  }
}

/** Yields the links in a `srcset`, as the HTML Standard splits it (section 4.8.4.2.1), but for parentheses. */
function* candidatesIn(srcset: string): Generator<string> {
  let isDescribed = false;
  for (const word of srcset.split(/\s+/)) {
    const comma: number = isDescribed ? word.indexOf(',') : -1;
    if (isDescribed && comma === -1) continue;
    const link: string = word.slice(comma + 1).replace(/^,{1,100}/, '');
    isDescribed = link !== '' && !link.endsWith(',');
    const end = link.endsWith(',') ? link.length - 1 : link.length;
    if (end > 0) yield link.slice(0, end);
  }
}
