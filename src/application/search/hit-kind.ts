import type { Section } from '../../formats/html/index.js';
import { isListing } from '../../formats/html/text/page-text.js';
import type { HitKind } from '../ports/search-index.js';
import { definitionsOf, IDENTIFIER_SIGN, KIND_WORDS, type NameKind } from './definitions.js';
import type { OpenedPage } from './found-page.js';
import { fileTitle } from './words/page-words.js';

/** Kinds that rustdoc writes before a dot in files and anchors, besides words that are written before names, too. */
const DOTTED: ReadonlyMap<string, NameKind> = new Map([
  ['associatedconstant', 'value'],
  ['associatedtype', 'type'],
  ['derive', 'function'],
  ['primitive', 'type'],
  ['static', 'value'],
  ['structfield', 'value'],
  ['tymethod', 'function'],
  ['variant', 'value'],
]);
/** `std/vec/struct.Vec.html` of rustdoc, `classEigen_1_1Matrix.html` of Doxygen. */
const FILE = /(?:^|\/)(?:([a-z]+)\.(?=\w)|(class|struct|union|namespace|interface)(?=[A-Z_]))[^/]*\.html$/;
/** Level of a term, `dt[id]`. */
const TERM = 7;
const OPTION = /^-{1,2}\w|\s\(--\w[\w-]*\)$/;
/** `ReadStream`, as types are called: no more is known of it. */
const CAPITALIZED = /(?:^|[.:#/$])\p{Lu}[\p{L}\d]*\p{Ll}[\p{L}\d]*$/u;

/**
 * Tells the kind of a result by the path of its page, and by the anchor and the heading of its section.
 * @param section the one that the result leads to; undefined for the page as a whole
 */
export function hitKindOf(
  { path, title, kind, content }: Pick<OpenedPage, 'path' | 'title' | 'kind' | 'content'>,
  section: Omit<Section, 'text'> | undefined,
): HitKind {
  if (isListing(kind)) return 'list';
  if (kind === 'release-notes') return 'release notes';
  if (section !== undefined) return kindOfSection(path, section) ?? 'section';
  const top = [content.section(0), content.section(1)].find((each) => each?.level === 1);
  return kindOfPage(path, top ?? { heading: title, level: 1 }) ?? 'page';
}

function kindOfPage(path: string, top: Omit<Section, 'text'>): NameKind | undefined {
  const [, dotted, joined] = FILE.exec(path) ?? [];
  const byFile = dotted === undefined ? undefined : dottedKind(dotted);
  const byAddress = byFile ?? KIND_WORDS.get(joined ?? '') ?? kindOfAnchor(top);
  if (byAddress !== undefined) return byAddress;
  const { kind, name } = named(top.heading);
  const [bare = ''] = /^[\w.:$]+/.exec(name) ?? [];
  // `Class diagrams` is no class.
  const isSure = IDENTIFIER_SIGN.test(bare) || fileTitle(path).toLowerCase() === bare.toLowerCase();
  return isSure && isDefined(path, top) ? kind : undefined;
}

function kindOfSection(path: string, section: Omit<Section, 'text'>): NameKind | undefined {
  const byAnchor = kindOfAnchor(section);
  if (byAnchor !== undefined) return byAnchor;
  const { heading, level, anchor = '' } = section;
  const { kind, name } = named(heading);
  const [bare = ''] = /^[^\s([{<]+/.exec(name) ?? [];
  const isSure = IDENTIFIER_SIGN.test(bare) || /\w[._:#]\w/.test(anchor);
  if (isSure && kind === 'option') return kind;
  if (!isDefined(path, section)) return undefined;
  if (OPTION.test(heading)) return 'option';
  // `int foo (void)` has a type in front, `work_mem (integer)` is no call. Javadoc has the call in the anchor, `add(int,E)`.
  const isCall = /\w\(/.test(heading) || /\S\s+\S*\w\s\(/.test(heading) || /^\w+\(/.test(anchor);
  if (isCall && (kind === undefined || kind === 'value')) return 'function';
  // `Module system` is a heading of a guide.
  if (kind !== undefined && (isSure || level === TERM)) return kind;
  return isSure && kind === undefined && !CAPITALIZED.test(bare) ? 'value' : undefined;
}

/** `method.push` of rustdoc; `module-json` of Sphinx, whose heading begins with the name. */
function kindOfAnchor({ heading, anchor = '' }: Omit<Section, 'text'>): NameKind | undefined {
  const [, word = '', separator, rest = ''] = /^([a-z]+)([.-])(?=[A-Za-z_])(.*)$/.exec(anchor) ?? [];
  if (separator === '.') return dottedKind(word);
  return word === 'module' && heading.startsWith(rest) ? 'module' : undefined;
}

function dottedKind(word: string): NameKind | undefined {
  return DOTTED.get(word) ?? KIND_WORDS.get(word);
}

/** The kind that the words before a name tell, or the one after it, as in `SSLEngine Directive`; and the name. */
function named(heading: string): { readonly kind: NameKind | undefined; readonly name: string } {
  const words = heading.trim().split(/\s+/);
  let kind: NameKind | undefined;
  let at = 0;
  for (; at < words.length - 1; at += 1) {
    const word = (words[at] ?? '').toLowerCase().replace(/:$/, '');
    if (!KIND_WORDS.has(word)) break;
    kind = KIND_WORDS.get(word) ?? kind;
  }
  const after = words.length === 2 && at === 0 ? KIND_WORDS.get(words[1]?.toLowerCase() ?? '') : undefined;
  return { kind: kind ?? after, name: words[at] ?? '' };
}

function isDefined(path: string, section: Omit<Section, 'text'>): boolean {
  const page = { kind: 'ordinary', title: '', sections: [{ ...section, text: '' }], cut: [] } as const;
  return definitionsOf(path, page).length > 0;
}
