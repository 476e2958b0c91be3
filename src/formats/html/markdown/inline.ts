import { anchorOf } from '../headings.js';
import { hasClass, type OpenElement } from '../open-element.js';
import { codeSpan, escaped, fenced } from './escape.js';
import type { AnchorPlace, MarkdownBlock } from './markdown-block.js';
import { isPreformatted, type PageChild, type PageNode } from './page-tree.js';

/** `language-js`, `lang-js`, `highlight-python3` */
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight)-([a-z][\w+#.-]{0,19})(?=\s|$)/i;
/** Class names that builders write for code without a known language. */
const UNKNOWN = new Set('default none text plain plaintext source notranslate unknown'.split(' '));
/** Max. levels above `pre` where the language is looked for. */
const MAX_LEVELS_UP = 3;

/** Returns where a link leads in the Markdown; undefined writes only its text. */
export type LinkTarget = (href: string) => string | undefined;

const CODE = new Set(['code', 'tt', 'kbd', 'samp']);
const MARKS: Readonly<Record<string, string>> = { strong: '**', b: '**', em: '*', i: '*' };
const FORMULAS = ['math', 'arithmatex', 'MathJax', 'formulaDsp', 'formulaInl'];
/** Placeholder of a line break until white space is collapsed: no text has it. */
const BREAK = '\u0001';

/** Writes inline content as Markdown. */
export class InlineWriter {
  constructor(private readonly target: LinkTarget) {}

  /** The text of elements within lines, without white space around it. Empty for none. */
  write(children: readonly PageChild[]): string {
    return collapsed(this.all(children, false));
  }

  /** Like `write`, in one line, without links and emphasis. */
  writePlain(children: readonly PageChild[]): string {
    return collapsed(this.all(children, true)).replaceAll('\n', ' ');
  }

  private all(children: readonly PageChild[], isPlain: boolean): string {
    let result = '';
    /** Two spans of code in a row would have other fences, so they are one. */
    let code = '';
    for (const child of children) {
      if (isCodeNode(child)) {
        code += textOf(child);
        continue;
      }
      if (code !== '') result += codeSpan(code);
      code = '';
      result += typeof child === 'string' ? escaped(child) : this.one(child, isPlain);
    }
    return code === '' ? result : result + codeSpan(code);
  }

  private one(node: PageNode, isPlain: boolean): string {
    const { element, attributes, children } = node;
    const { name } = element;
    if (name === 'br') return BREAK;
    if (name === 'wbr' || name === 'annotation') return '';
    if (name === 'img')
      return isFormula(node) ? formula(attributes.alt ?? '') : escaped(attributes.alt ?? '');
    if (name === 'math') return formula(texOf(node) ?? textOf(node));
    if (isFormula(node)) return textOf(node);
    const text = this.all(children, isPlain);
    if (name === 'q') return `"${text}"`;
    if (name === 'sup' || name === 'sub') return raised(text, name === 'sup' ? '^' : '_');
    if (isPlain) return text;
    if (name === 'a') return this.link(text, attributes.href);
    const mark = MARKS[name];
    return mark === undefined ? text : marked(text, mark);
  }

  private link(text: string, href = ''): string {
    const target = text.trim() === '' ? undefined : this.target(href.trim());
    if (target === undefined) return text;
    const { before, inner, after } = parted(text);
    if (inner === target && /^https?:/.test(target)) return `${before}<${target}>${after}`;
    return `${before}[${inner}](${target.replace(/[\s()<>\\]/g, percentEncoded)})${after}`;
  }
}

/**
 * The text of a node as it stands there, with line breaks.
 * @param visit called for each element with the number of characters before it
 * @param before characters before this one
 */
export function textOf(
  { element, attributes, children }: PageNode,
  visit?: (element: OpenElement, before: number) => void,
  before = 0,
): string {
  visit?.(element, before);
  if (element.name === 'br') return '\n';
  if (element.name === 'img') return attributes.alt ?? '';
  let text = '';
  for (const child of children)
    text += typeof child === 'string' ? child : textOf(child, visit, before + text.length);
  // Doxygen has no line breaks between lines of code.
  return element.name === 'div' && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;
}

function collapsed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?(?:\u0001 ?)+/g, '\n')
    .trim();
}

function isCodeNode(child: PageChild): child is PageNode {
  return typeof child === 'object' && CODE.has(child.element.name) && !child.hasBlock;
}

function isFormula({ element }: PageNode): boolean {
  return element.classes !== undefined && FORMULAS.some((word) => hasClass(element, word));
}

function formula(tex: string): string {
  const text = tex.trim();
  return text === '' || /^(?:\$|\\[([])/.test(text) ? text : `$${text}$`;
}

/** The TeX that many pages have beside their MathML. */
function texOf({ children }: PageNode): string | undefined {
  for (const child of children) {
    if (typeof child === 'string') continue;
    const isTex = child.element.name === 'annotation' && /tex/i.test(child.attributes.encoding ?? '');
    const tex = isTex ? textOf(child) : texOf(child);
    if (tex !== undefined) return tex;
  }
  return undefined;
}

/** `10^6` for a number above the line. The number of a footnote stays as it is. */
function raised(text: string, sign: string): string {
  return /^[\w+-]{1,20}$/.test(text) ? sign + text : text;
}

function marked(text: string, mark: string): string {
  const { before, inner, after } = parted(text);
  // Code stands out already.
  if (inner === '' || /^[*`]|[*`]$/.test(inner)) return text;
  return before + mark + inner + mark + after;
}

/** A text and the white space around it. */
function parted(text: string) {
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  return { before: text.slice(0, start), inner, after: text.slice(start + inner.length) };
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** Whether an element is code in lines of its own. */
export function isCodeBlock({ element }: PageNode): boolean {
  return isPreformatted(element) || hasClass(element, 'memproto');
}

/** Code in a fence with its language, if the page says which, and where the ids in it lead; empty without code. */
export function codeBlock(node: PageNode): Pick<MarkdownBlock, 'text' | 'anchors'> {
  const ids: { id: string; from: number }[] = [];
  const note = (element: OpenElement, from: number) => {
    const id = anchorOf(element);
    if (id !== undefined) ids.push({ id, from });
  };
  const raw = isPreformatted(node.element) ? textOf(node, note) : cellsOf(node).replace(/\s+/g, ' ').trim();
  const code = raw.replaceAll('\r\n', '\n').replaceAll('\u00a0', ' ').trimEnd();
  const start = /^(?:[^\S\n]*\n)*/.exec(code)?.[0].length ?? 0;
  if (start === code.length) return { text: '' };
  const text = fenced(code.slice(start), languageOf(node));
  return { text, anchors: atLines(ids, raw, text, code.slice(0, start).split('\n').length - 1) };
}

/** Places of ids in a block of code: each at the beginning of its line, below the fence. */
function atLines(
  ids: readonly AnchorPlace[],
  raw: string,
  text: string,
  linesBefore: number,
): readonly AnchorPlace[] {
  let line = -linesBefore;
  let read = 0;
  let shown = -1;
  let place = 0;
  return ids.map(({ id, from }) => {
    for (; read < from; read += 1) if (raw[read] === '\n') line += 1;
    for (; shown < line && place < text.length; shown += 1) place = nextLine(text, place);
    return { id, from: place };
  });
}

function nextLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? from : end + 1;
}

/** The ids of all elements in a part of the page. */
export function idsIn(children: readonly PageChild[]): string[] {
  const ids: string[] = [];
  const collect = (child: PageChild) => {
    if (typeof child === 'string') return;
    const id = anchorOf(child.element);
    if (id !== undefined) ids.push(id);
    child.children.forEach(collect);
  };
  children.forEach(collect);
  return ids;
}

/** A signature of Doxygen, which is a table. */
function cellsOf({ element, children }: PageNode): string {
  let text = '';
  for (const child of children) text += typeof child === 'string' ? child : cellsOf(child);
  return element.name === 'td' || element.name === 'div' ? `${text} ` : text;
}

function languageOf({ element, children }: PageNode): string {
  if (hasClass(element, 'rust')) return 'rust';
  const code = children.find((child) => typeof child === 'object' && child.element.name === 'code');
  const inside = typeof code === 'object' ? (named(code.element) ?? code.attributes['data-lang']) : undefined;
  if (inside !== undefined) return known(inside);
  let around: OpenElement | undefined = element;
  for (let level = 0; level <= MAX_LEVELS_UP && around !== undefined; level++) {
    const language = named(around);
    if (language !== undefined) return known(language);
    around = around.parent;
  }
  return '';
}

function named({ classes }: OpenElement): string | undefined {
  return classes === undefined ? undefined : LANGUAGE.exec(classes)?.[1];
}

function known(language: string): string {
  const name = language.toLowerCase();
  return UNKNOWN.has(name) || !/^[\w+#.-]{1,20}$/.test(name) ? '' : name.replace(/^python3$/, 'python');
}
