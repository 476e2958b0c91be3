import { BUILDERS } from './builders.js';
import { hasClass, type OpenElement } from './open-element.js';
import type { Attributes } from './parse-html.js';

/** Elements whose text is never shown as it is, or not as text. */
const NEVER_SHOWN = new Set(
  'script style template noscript iframe svg noembed noframes audio video canvas progress meter rp mphantom'.split(
    ' ',
  ),
);
/** Elements for finding one's way and for input. */
const CONTROLS = new Set(['nav', 'footer', 'form', 'button', 'select', 'textarea', 'datalist', 'dialog']);
const WHOLE_PAGE = new Set(['html', 'body']);
/** Elements that belong to the page where no article, section or `main` is around them. */
const OF_THE_PAGE = new Set(['header', 'aside']);
const ROLES = new Set(['navigation', 'search', 'banner', 'contentinfo', 'complementary']);

/** Whether an element's text is never shown, wherever it stands. */
export function isNeverShown(name: string): boolean {
  return NEVER_SHOWN.has(name);
}

/** Whether an element is navigation or otherwise no content, by its name, its attributes or its builder. */
export function isLeftOut(element: OpenElement, attributes: Attributes): boolean {
  const { name, id, classes = '', parent } = element;
  if (WHOLE_PAGE.has(name)) return false;
  if (CONTROLS.has(name) || (OF_THE_PAGE.has(name) && parent?.sectioned !== true)) return true;
  if (attributes.role !== undefined && ROLES.has(attributes.role)) return true;
  // A panel of tabs that are closed has it, too.
  if (attributes['aria-hidden'] === 'true' && attributes.role !== 'tabpanel') return true;
  if (isBanner(element, attributes)) return true;
  // `<table summary="Navigation header">`
  if (name === 'table' && /\bnavigation\b/i.test(attributes.summary ?? '')) return true;
  if (id !== undefined && hasRule(BY_ID.get(id), element)) return true;
  if (classes === '') return false;
  // Splitting takes time, and most have one class.
  const words = SPACES.test(classes) ? classes.split(SPACES) : [classes];
  return words.some((word) => hasRule(BY_CLASS.get(word), element));
}

/** A line that somebody has put above all pages by hand: `<body><div style="background:…;text-align:center">`. */
function isBanner({ name, id, classes, parent }: OpenElement, { style = '' }: Attributes): boolean {
  if (name !== 'div' || parent?.name !== 'body' || id !== undefined || classes !== undefined) return false;
  return /\bbackground\b/i.test(style) && /\btext-align\s*:\s*center\b/i.test(style);
}

const SPACES = /\s+/;

/** An entry of a builder's table, without the id or class by which it was found. */
interface Rule {
  readonly tag: string | undefined;
  readonly parent: { readonly tag: string | undefined; readonly class: string | undefined } | undefined;
}

const BY_CLASS = new Map<string, Rule[]>();
const BY_ID = new Map<string, Rule[]>();

for (const entry of BUILDERS.flatMap(({ leftOut }) => leftOut.trim().split(SPACES))) {
  const [own = '', parent] = entry.split('>').reverse();
  const { tag, sign, word } = partsOf(own);
  const rule = {
    tag,
    parent: parent === undefined ? undefined : { tag: partsOf(parent).tag, class: partsOf(parent).word },
  };
  const rules = sign === '#' ? BY_ID : BY_CLASS;
  // Old pages of DocBook have their classes in upper case: browsers compare without case there.
  for (const key of new Set([word ?? '', (word ?? '').toUpperCase()])) {
    rules.set(key, [...(rules.get(key) ?? []), rule]);
  }
}

/** `div.header` -> `div`, `.`, `header` */
function partsOf(selector: string) {
  const [, tag, sign, word] = /^(\w*)(?:([.#])(.+))?$/.exec(selector) ?? [];
  return { tag: tag || undefined, sign, word };
}

function hasRule(rules: readonly Rule[] | undefined, element: OpenElement): boolean {
  return rules?.some((rule) => fits(rule, element)) === true;
}

function fits({ tag, parent }: Rule, element: OpenElement): boolean {
  if (tag !== undefined && tag !== element.name) return false;
  if (parent === undefined) return true;
  if (element.parent === undefined) return false;
  if (parent.tag !== undefined && parent.tag !== element.parent.name) return false;
  return (
    parent.class === undefined ||
    hasClass(element.parent, parent.class) ||
    hasClass(element.parent, parent.class.toUpperCase())
  );
}
