import type { PageText, Section } from '../../formats/html/index.js';
import type { FoundDefinition } from './found-page.js';
import { isIdentifier, keyOf, partsOfAnchor, partsOfHeading, partsOfPath, type TypedName } from './names.js';
import { foldText } from './words/fold.js';

/** A section, or a page as a whole, that explains an identifier. */
export interface Definition {
  /** The name, as `keyOf` writes it: everything that begins with the last parts of it is this name or a longer one. */
  readonly key: string;
  /** Index of the section in its page. */
  readonly section: number;
}

/** Max. definitions of a page. The largest real ones have some 2,000. */
const MAX_DEFINITIONS = 5_000;
const TERM = 7;

/**
 * What a page defines, by the anchors and headings of its sections, each with the path of the page where a name says
 * nothing about what it belongs to. Lists and release notes define nothing.
 */
export function definitionsOf(path: string, { kind, title, sections }: PageText): Definition[] {
  if (kind !== 'ordinary') return [];
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

/** Each section once, by its shortest name. */
export function withoutRepeated(definitions: readonly Definition[]): Definition[] {
  const known = new Set<number>();
  return [...definitions]
    .sort((a, b) => a.key.length - b.key.length)
    .filter(({ section }) => !known.has(section) && known.add(section));
}

/** All names of a section, each with what it belongs to. */
function namesOf({ heading, level, anchor = '' }: Section, around: readonly string[]): (readonly string[])[] {
  const byHeading = partsOfHeading(heading);
  if (level === 1) return byHeading.length === 0 ? [] : [joined(around, byHeading)];
  const byAnchor = isNameOf(anchor, heading) ? partsOfAnchor(anchor) : [];
  const isTold = level === TERM || byAnchor.length > 0 || /\S\s?\(/.test(heading) || isIdentifier(heading);
  const names = [byAnchor, isTold ? byHeading : []].filter((name) => name.length > 0);
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
