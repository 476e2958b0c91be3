import { hasClass, type OpenElement } from '../open-element.js';
import { fenced } from './escape.js';
import { textOf } from './inline.js';
import { isPreformatted, type PageNode } from './page-tree.js';

/** `language-js`, `lang-js`, `highlight-python3` */
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight)-([a-z][\w+#.-]{0,19})(?=\s|$)/i;
/** What builders write where they know no language. */
const UNKNOWN = new Set('default none text plain plaintext source notranslate unknown'.split(' '));
/** Elements around `pre` that may name the language. */
const MAX_LEVELS_UP = 3;

/** Whether an element is code in lines of its own. */
export function isCodeBlock({ element }: PageNode): boolean {
  return isPreformatted(element) || hasClass(element, 'memproto');
}

/** Code in a fence with its language, if the page says which; empty without code. */
export function codeBlock(node: PageNode): string {
  const text = isPreformatted(node.element)
    ? textOf(node).replaceAll('\r\n', '\n').replaceAll('\u00a0', ' ')
    : cellsOf(node).replace(/\s+/g, ' ').trim();
  const code = text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();
  return code === '' ? '' : fenced(code, languageOf(node));
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
