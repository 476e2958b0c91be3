import type { Attributes } from '../parse-html.js';

/** Kinds of links that lead around instead of telling something. */
type LinkKind = 'direction' | 'place' | 'action' | 'short' | 'image' | 'other';

/** Max. characters of a link that are looked at. */
const MAX_TEXT = 200;

/** Max. characters of a link that leads around. */
const MAX_WAY = 60;

const PARTS =
  '(?:page|chapter|section|subsection|topic|article|part|node|document|book|manual|list|contents?)';
/** Neighbours of a page, and its parent. */
const DIRECTION = new RegExp(
  `^(?:(?:next|prev|previous|up|back|forward)(?: ${PARTS})?|(?:go |return |jump |back |up )+(?:to )?(?:the )?(?:top|home|start|index|table of contents|${PARTS})(?: of (?:the )?${PARTS})?|top of (?:the )?${PARTS}|fast(?: )?(?:back|forward))$`,
);
/** Pages that each page of a site leads to. */
const PLACE =
  /^(?:home(?: ?page)?|main(?: page)?|start|top|contents|content|table of contents|toc|index|(?:main|full|general|genindex|module|search|topics?|keywords?|graphical|concept|function|subject|[\p{L}]+) index|search(?: page)?|site ?map|summary|overview|about|help|contacts?|bib|ind|all)$/u;
/** Buttons in the form of links. */
const ACTION =
  /^(?:edit(?: (?:this|me|the)\b.{0,20}| on .{1,20}| source| page)?|improve this (?:page|doc.{0,10})|suggest (?:an )?(?:edit|change).{0,15}|(?:report|file) (?:an? )?(?:bug|issue|problem).{0,25}|(?:view|show|page) source(?: on .{1,20})?|view (?:this )?(?:page )?(?:on|in) (?:github|gitlab)|skip to .{1,30}|(?:print|share)(?: this page)?|permalink|mathjax (?:on|off)|go to the (?:source code|documentation) of this file)$/;
const ARROW =
  /^[\s[({]*(?:<{1,3}|>{1,3}|«|»|‹|›|←|→|↑|⇐|⇒|⬅|➡|⏪|⏩)(?:[\s\])}]|$)|(?<!operator)\s(?:<{1,3}|>{1,3}|«|»|‹|›|←|→|⇐|⇒|⬅|➡)$/u;
const RELATIONS = /(?:^|\s)(?:next|prev|previous|up|contents|index|home|start|first|last)(?:\s|$)/i;
const DIRECTIONS = new Set(['next', 'prev', 'previous', 'up', 'back', 'forward']);
/** Names of languages in those languages, as lists of translations have them. */
const LANGUAGES = new Set(
  (
    'english deutsch français francais español espanol italiano português portugues nederlands polski русский українська ' +
    'čeština slovenčina magyar română suomi svenska dansk norsk türkçe ελληνικά 日本語 中文 简体中文 繁體中文 한국어 العربية ' +
    'עברית فارسی català euskara galego hrvatski srpski српски slovenščina български eesti latviešu lietuvių indonesia ' +
    'tiếng việt ไทย'
  ).split(' '),
);

/** A link while it is read. */
export class OpenLink {
  text = '';
  hasImage = false;
  hasCode = false;

  constructor(private readonly attributes: Attributes) {}

  add(text: string): void {
    if (this.text.length < MAX_TEXT) this.text += text;
  }

  addImage(alt: string): void {
    this.hasImage = true;
    this.add(alt);
  }

  /** Whether it leads to a part of its page. */
  get isInPage(): boolean {
    return this.attributes.href?.startsWith('#') === true;
  }

  get isLanguage(): boolean {
    return this.attributes.hreflang !== undefined || LANGUAGES.has(this.text.trim().toLowerCase());
  }

  get kind(): LinkKind {
    const { rel } = this.attributes;
    if (rel !== undefined && RELATIONS.test(rel)) return 'direction';
    const raw = this.text.trim();
    if (raw === '') return this.hasImage ? 'image' : 'other';
    if (this.hasCode) return 'other';
    if (ARROW.test(raw)) return 'direction';
    if (raw.length > MAX_WAY) return 'other';
    const words = wordsOf(raw);
    if (ACTION.test(words)) return 'action';
    if (DIRECTION.test(words)) return this.leadsTo(words) ? 'other' : 'direction';
    if (PLACE.test(words)) return 'place';
    // A logo of the site.
    if (this.hasImage && /\blogo\b/.test(words)) return 'image';
    return words.length <= 2 || /^\d{1,4}$/.test(words) ? 'short' : 'other';
  }

  /** Whether the target has the name of a function, such as `next`, which is no page's neighbour. */
  private leadsTo(words: string): boolean {
    if (!DIRECTIONS.has(words)) return false;
    const name = /([^/#.:]*)(?:\.x?html?|\(\))?$/i.exec(this.attributes.href ?? '')?.[1];
    return name?.toLowerCase() === words;
  }
}

/** A short text in lower case, without what stands around its words. */
export function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\u00a0]+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** Whether a text is the name of a direction or of a place that each page leads to. */
export function isWayfinding(text: string): boolean {
  if (text.length > MAX_WAY) return false;
  const words = wordsOf(text);
  return DIRECTION.test(words) || PLACE.test(words);
}
