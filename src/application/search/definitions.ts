import type { PageText, Section } from '../../formats/html/index.js';
import { isListing } from '../../formats/html/text/page-text.js';
import type { HitKind } from '../ports/search-index.js';
import { foldText } from './words/fold.js';

/** Max. definitions of a page. The largest real ones have some 3,000. */
const MAX_DEFINITIONS = 20_000;
const TERM = 7;
/** Parts of a name that are looked at, and characters of one. */
const MAX_PARTS = 12;
const MAX_PART = 80;
/** Characters of a heading or of what was typed that may be a name. */
const MAX_NAME = 1_000;
/** Words that languages and builders write before a name to say what it is, each with the kind that it tells, if it tells one. */
export const KIND_WORDS: ReadonlyMap<string, NameKind | undefined> = new Map([
  ...each(
    'annotation class enum exception interface object record struct trait type typedef typename union',
    'type',
  ),
  ...each('classmethod constructor def fn func function macro method staticmethod', 'function'),
  ...each('attribute const constant data event field property var variable', 'value'),
  ...each('directive option role', 'option'),
  ...each('mod module namespace package', 'module'),
  ...each(
    'abstract async extern final override private protected pub public static unsafe virtual',
    undefined,
  ),
]);
const SEPARATORS = /::|->|[.#/\\$]/;
/** `GUC-PORT (integer)`, `view_functions: dict`, `json — JSON encoder`: what comes after the name. */
const AFTER_NAME = /\s+[-–—]\s.*|\s*(?::{1,2}(?!:)|=)\s.*|\s*[([{¶].*/s;
/** Signs of an identifier: no word of a language has them. */
export const IDENTIFIER_SIGN = /[_$\d:]|\w\.\w|\p{Ll}-?\p{Lu}|\p{Lu}\p{Lu}/u;
/** `4.9.2. ` in front of a heading. */
const NUMBER = /^\d+(?:\.\d+)*\.?\s+/;
/** `Function: `, `[det]` and the like in front of a term. */
const LABEL = /^(?:\[[^\]]{0,20}\]\s*|[—\s]*[\p{L}\p{M} -]{0,40}:\s+)/u;
/** Max. names of one term. */
const MAX_NAMES = 4;

/** Kind of thing that has a name. */
export type NameKind = Exclude<HitKind, 'section' | 'page' | 'list' | 'release notes'>;

/** A section, or a page as a whole, that explains an identifier. */
export interface Definition {
  /** The name, as `keyOf` writes it: everything that begins with the last parts of it is this name or a longer one. */
  readonly key: string;
  /** Index of the section in its page. */
  readonly section: number;
}

/** A section whose name is the query, or ends with it. */
export interface FoundDefinition {
  /** Index of the section in its page. */
  readonly section: number;
  /** Parts that the name has besides those that were typed. */
  readonly further: number;
  readonly style: NameStyle;
}

/**
 * Returns the definitions of a page, by the anchors and headings of its sections, each with the path of the page where a
 * name says nothing about what it belongs to. Lists, sources and release notes define nothing.
 */
export function definitionsOf(path: string, { kind, title, sections }: PageText): Definition[] {
  if (isListing(kind) || kind === 'release-notes') return [];
  const around = partsOfPath(path);
  const found = sections.flatMap((section, index) =>
    namesOf(section, around).map((name): Definition => ({ key: keyOf(name), section: index })),
  );
  // `mod/mod_ssl.html` with the title `Apache Module mod_ssl`.
  const file = around.at(-1) ?? '';
  if (/[_\d]/.test(file) && foldText(title).includes(file)) found.unshift({ key: keyOf(around), section: 0 });
  const known = new Set<string>();
  return found.filter(({ key }) => !known.has(key) && known.add(key)).slice(0, MAX_DEFINITIONS);
}

/** The definition of a typed name by a key that begins with the key of that name. */
export function foundDefinition({ key, section }: Definition, { parts, style }: TypedName): FoundDefinition {
  return { section, further: key.split('.').length - 1 - parts, style };
}

/** How sure it is that somebody who typed a name means its definition: `identifier` is written as only identifiers are. */
export type NameStyle = 'identifier' | 'word' | 'words';

/** A name that was typed. */
export interface TypedName {
  /** As `keyOf` writes it. Empty: what was typed is no name. */
  readonly key: string;
  readonly parts: number;
  readonly style: NameStyle;
}

/**
 * Reads a dotted, `::`, `#` or `/` path, without kinds in front and arguments behind. Words with a space between them are
 * parts, too: `PRAGMA journal_mode` and `Session commit` may be typed like this.
 */
export function nameTyped(text: string): TypedName {
  const typed = text.slice(0, MAX_NAME).replaceAll('"', ' ').trim();
  const words = withoutArguments(typed).split(/\s+/);
  const named = withoutKinds(words);
  const parts = partsIn(named.join('.'));
  const isSure =
    named.length < words.length || /[_()\d]|--|^[-@$]\p{L}|\w(?:::|->|[.#/])\w|\p{Ll}\p{Lu}/u.test(typed);
  const style = isSure ? 'identifier' : parts.length > 1 ? 'words' : 'word';
  return { key: keyOf(parts), parts: parts.length, style };
}

/** A name as it is looked up by its last parts: the last one first. */
export function keyOf(parts: readonly string[]): string {
  return parts
    .toReversed()
    .map((part) => `${part}.`)
    .join('');
}

/** The beginning of a key: the last part of the name, and the dot behind it. */
export function lastPartOf(key: string): string {
  return key.slice(0, key.indexOf('.') + 1);
}

/** The parts of the identifier that a heading is the signature of. Empty: it is none. */
function partsOfHeading(heading: string): string[] {
  const [, option] = /\S \((--\w[\w-]*)\)$/.exec(heading) ?? [];
  if (option !== undefined) return partsIn(option);
  const isCall = /\S\s?\(/.test(heading);
  const bare = withoutArguments(heading.slice(0, MAX_NAME));
  const words = withoutKinds(bare.trim().split(/\s+/));
  const last = words.at(-1) ?? '';
  // `QString &QString::append(…)` has a type in front, `PRAGMA journal_mode` a kind that only its site knows.
  if (words.length > 1 && isCall) return partsIn(last.replace(/^[*&]+/, ''));
  if (words.length === 2 && isIdentifier(last) && isIdentifier(words[0] ?? ''))
    return partsIn(words.join('.'));
  return words.length === 1 ? partsIn(last) : [];
}

/** The parts of each name of a term: of all options in `-j, --jobs=<n>`, else of the word that its anchor ends with. */
function namesOfTerm(heading: string, anchor: string): string[][] {
  const term = heading.slice(0, MAX_NAME).replace(LABEL, '');
  if (/^-{1,2}\w/.test(term)) {
    return (term.match(/(?<![\w-])--?\w[\w-]*/g) ?? []).slice(0, MAX_NAMES).map(partsIn);
  }
  const end = decodedAnchor(anchor);
  const words = (term.match(/[^\s()[\]{},;='"]+/g) ?? []).map((word) => word.replace(/^<(.+)>$/, '$1'));
  const named = words.find((word, at) => (at === 0 || IDENTIFIER_SIGN.test(word)) && endsWithName(end, word));
  return [named === undefined ? partsOfHeading(term) : partsIn(named)];
}

/** `index-gnutls_005finit-1` of Texinfo -> `index-gnutls_init` */
function decodedAnchor(anchor: string): string {
  const decoded = anchor.replace(/_00([2-7][\da-f])/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return decoded.replace(/-\d+$/, '');
}

/** Whether an anchor is a word, or something and the word or its last part: `OPT_jobs`, `configPrompt-On-Exit`. */
function endsWithName(anchor: string, word: string): boolean {
  const last = word.split(SEPARATORS).at(-1) ?? '';
  if (last === '' || !anchor.toLowerCase().endsWith(last.toLowerCase())) return false;
  const before = anchor.slice(0, -last.length);
  return (
    /(?:^|[^\p{L}\d])$/u.test(before) ||
    (/\p{Ll}$/u.test(before) && /^\p{Lu}/u.test(last) && anchor.endsWith(last))
  );
}

/** The parts of an anchor that names a definition: `flask.Flask.route`, `method.push`, `add(int,E)`, `module-json`. */
function partsOfAnchor(anchor: string): string[] {
  const name = anchor
    .replace(
      /^(?:(?:ty)?method|variant|structfield|field|associated(?:constant|type)|macro|fn|module|v|t)[.:-](?=[a-z_])/i,
      '',
    )
    .replace(/(?<=[a-z_]\w*)-(?:[A-Z\w.:-]*-)$/, '');
  return /\s/.test(name) ? [] : partsIn(withoutArguments(name));
}

/** Parts of a name that the path of a page tells: `api/java.base/java/util/Map.Entry.html`, `std/vec/struct.Vec.html`. */
function partsOfPath(path: string): string[] {
  const [file = '', ...folders] = path
    .replace(/\.x?html?$/i, '')
    .split('/')
    .toReversed();
  const name = file
    .replace(/^(?:struct|enum|trait|fn|macro|union|type|constant|static|primitive|keyword|attr|derive)\./, '')
    .replace(/^(?:class|struct|union|namespace|interface)(?=[A-Z_])/, '')
    .replaceAll('_1_1', '.');
  const own = /^(?:index|package-summary|module-summary)$/.test(name) ? [] : partsIn(name);
  return [...folders.toReversed().flatMap(partsIn), ...own];
}

/** Whether a word is written as identifiers are: `json_agg`, `ArrayList`, `fs.open`, `MAX`, `--all`, `append`; not `Examples`. */
function isIdentifier(word: string): boolean {
  return /^[\p{Ll}-]/u.test(word) || IDENTIFIER_SIGN.test(word);
}

/** All names of a section, each with what it belongs to. */
function namesOf({ heading, level, anchor = '' }: Section, around: readonly string[]): (readonly string[])[] {
  if (level === TERM) {
    const names = [isNameOf(anchor, heading) ? partsOfAnchor(anchor) : [], ...namesOfTerm(heading, anchor)];
    return whole(names, around);
  }
  const named = level === 1 ? heading : heading.replace(NUMBER, '');
  const byHeading = partsOfHeading(named);
  if (level === 1) return byHeading.length === 0 ? [] : [joined(around, byHeading)];
  const byAnchor = isNameOf(anchor, heading) ? partsOfAnchor(anchor) : [];
  const isTold = byAnchor.length > 0 || /\S\s?\(/.test(named) || isIdentifier(named);
  return whole([byAnchor, isTold ? byHeading : []], around);
}

/** Names without those that the first one ends with, and of one part only with what is around them. */
function whole(all: readonly (readonly string[])[], around: readonly string[]): (readonly string[])[] {
  const names = all.filter((name) => name.length > 0 && !/^\d+$/.test(name.at(-1) ?? ''));
  return names
    .filter((name, at) => at === 0 || !keyOf(names[0] ?? []).startsWith(keyOf(name)))
    .map((name) => (name.length > 1 ? name : [...around, ...name]));
}

/** Whether an anchor is made of the name, not of a number or of the words of the heading. */
function isNameOf(anchor: string, heading: string): boolean {
  if (!/[._:(#]|^module-|\p{Ll}\p{Lu}/u.test(anchor)) return false;
  const last = partsOfAnchor(anchor).at(-1) ?? '';
  return last !== '' && heading.toLowerCase().includes(last);
}

/** `java/util/ArrayList` and `ArrayList` are `java.util.ArrayList`, `library/json` and `json` are `library.json`. */
function joined(around: readonly string[], name: readonly string[]): readonly string[] {
  for (let shared = Math.min(around.length, name.length); shared > 0; shared -= 1) {
    const end = around.slice(around.length - shared);
    if (end.every((part, at) => part === name[at])) return [...around.slice(0, -shared), ...name];
  }
  return [...around.slice(0, -1), ...name];
}

function partsIn(name: string): string[] {
  // `@dataclasses.dataclass` is written `@dataclass`, too.
  const parts = foldText(name)
    .replace(/^@(.+[.:/])(?=\w)/, '$1@')
    .split(SEPARATORS)
    .filter((part) => part !== '');
  return parts.length > MAX_PARTS || parts.some((part) => part.length > MAX_PART) ? [] : parts;
}

function withoutKinds(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word, at) => at === words.length - 1 || !KIND_WORDS.has(word.toLowerCase()));
  return words.slice(Math.max(0, first));
}

/** `operator()` and `operator<<` are names, `<init>` is one; `Vec<T>::push(value: T)` is one with arguments. */
function withoutArguments(text: string): string {
  if (/\boperator\b/.test(text)) return text.replace(/(?<=operator\s?(?:\(\)|[^\s(\w]+))\s*\(.*/s, '');
  let bare = text.trim();
  for (let depth = 0; depth < 3; depth += 1) bare = bare.replace(/(?<=\w\s?)<[^<>]*>/g, '');
  return bare.replace(AFTER_NAME, '');
}

function each(words: string, kind: NameKind | undefined): (readonly [string, NameKind | undefined])[] {
  return words.split(' ').map((word) => [word, kind] as const);
}
