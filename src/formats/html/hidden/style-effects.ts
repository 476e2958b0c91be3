/** A way in which a style hides text. `place`: outside of the page, or cut down to nothing. */
export type Aspect = 'display' | 'content-visibility' | 'visibility' | 'font-size' | 'opacity' | 'place';

/** Whether declarations hide text in one way, or show it. */
export interface Effect {
  readonly hides: boolean;
  readonly isImportant: boolean;
}

/** Effects of declarations. Aspects that they don't decide are missing. */
export type Effects = ReadonlyMap<Aspect, Effect>;

/** Text in every declaration that hides an element, or shows one inside a hidden element. Most styles have none of it. */
const HINT = /display|visib|font|opacity|-\d{3}|overflow|clip|transform|\\|\*/i;
/** Text up to the next `;` outside of strings and brackets. Never fails, so that its time is linear. */
const DECLARATION = /(?:[^;"'()]+|"[^"]*"?|'[^']*'?|\([^)]*\)?)+|\)/g;
const IMPORTANT = /!\s*important$/;
/** Max. characters of a value. Values that count are shorter. */
const MAX_VALUE = 200;
const DISPLAYS =
  /^(?:none|block|flex|grid|contents|flow|ruby|table|list-item|flow-root|inherit|initial|unset|revert|inline.*|table-.*|-\w+-.*)$/;
const VISIBILITIES = /^(?:visible|hidden|collapse|initial)$/;
const LENGTH = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(px|pt|pc|mm|cm|in|q|r?em|ex|ch|vw|vh|vmin|vmax|%)?$/;
const SIZES = /^(?:(?:x{1,3}-)?(?:small|large)|medium|initial|larger|smaller)$/;
const OFFSETS = ['left', 'right', 'top', 'bottom', 'margin-left', 'margin-top', 'text-indent'];
const EXTENTS = ['width', 'height', 'max-width', 'max-height'];
/** Largest size in CSS pixels of letters that nobody reads. */
const MAX_UNREAD = 2;
/** Distance in CSS pixels from where no scroll bar leads back. */
const FAR = 900;

/** Whether declarations may hide text, or show it inside a hidden element. Takes next to no time. */
export function mayHaveEffects(css: string): boolean {
  return HINT.test(css);
}

/** Finds out whether declarations, as in the attribute `style`, hide text. Later ones count, as in browsers. */
export function effectsOf(css: string): Effects {
  const values = new Map<string, { readonly value: string; readonly isImportant: boolean }>();
  for (const part of plainCss(css).toLowerCase().match(DECLARATION) ?? []) {
    const colon = part.indexOf(':');
    const text = part
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim();
    const isImportant = IMPORTANT.test(text);
    const value = text.replace(IMPORTANT, '').trim().slice(0, MAX_VALUE);
    const name = part.slice(0, Math.max(0, colon)).trim();
    if (!isValid(name, value) || (values.get(name)?.isImportant === true && !isImportant)) continue;
    values.set(name, { value, isImportant });
    if (name === 'font') values.delete('font-size');
  }
  const of = (name: string) => values.get(name)?.value;
  const among = (name: string, words: RegExp) => {
    const value = of(name);
    return value === undefined ? undefined : words.test(value);
  };
  const effects = new Map<Aspect, Effect>();
  const add = (aspect: Aspect, hides: boolean | undefined) => {
    if (hides !== undefined)
      effects.set(aspect, { hides, isImportant: values.get(aspect)?.isImportant === true });
  };
  add('display', among('display', /^none$/));
  add('content-visibility', among('content-visibility', /^hidden$/));
  add('visibility', among('visibility', /^(?:hidden|collapse)$/));
  add('font-size', isUnread(of('font-size') ?? sizeIn(of('font'))));
  add('opacity', isTransparent(of));
  add('place', isOutOfPlace(of));
  return effects;
}

/** CSS without comments and escapes. */
export function plainCss(css: string): string {
  const bare = css.includes('/*') ? css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, ' ') : css;
  if (!bare.includes('\\')) return bare;
  return bare.replace(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => {
    const point = Number.parseInt(code, 16);
    const character = point > 0x10ffff ? '' : String.fromCodePoint(point);
    return /[\w-]/.test(character) ? character : '_';
  });
}

type ValueOf = (name: string) => string | undefined;

/** Browsers ignore an invalid value: `display: none; display: bogus` hides. */
function isValid(name: string, value: string): boolean {
  if (name === '' || value === '') return false;
  if (name === 'display') return DISPLAYS.test(value);
  if (name === 'visibility') return VISIBILITIES.test(value);
  if (name === 'font-size') return LENGTH.test(value) || SIZES.test(value);
  if (name === 'opacity') return Number.isFinite(Number(value.replace(/%$/, '')));
  return true;
}

/** Size of letters in `font: italic 0/0 serif`. */
function sizeIn(font: string | undefined): string | undefined {
  return font?.split(/[\s/]+/).find((word) => LENGTH.test(word) && !/^[1-9]00$/.test(word));
}

/** Whether letters of this size can't be read; undefined for a size that depends on the one around. */
function isUnread(size: string | undefined): boolean | undefined {
  if (size === undefined) return undefined;
  const isRelative = /(?:\d|\.)(?:em|ex|ch|%)$|^(?:larg|small)er$/.test(size);
  const isSmall = (pixels(size) ?? FAR) <= MAX_UNREAD;
  return isRelative && !isSmall ? undefined : isSmall;
}

/** A picture or a text that fades in is transparent at first, and moved, or has a transition. */
function isTransparent(of: ValueOf): boolean | undefined {
  const opacity = of('opacity');
  if (opacity === undefined) return undefined;
  const fadesIn = ['transform', 'transition', 'animation', 'animation-name'].some(of);
  return Number.parseFloat(opacity) === 0 && !fadesIn;
}

function isOutOfPlace(of: ValueOf): boolean | undefined {
  const offsets = OFFSETS.map(of).filter((value) => value !== undefined);
  const clip = of('clip') ?? '';
  const clipPath = of('clip-path') ?? '';
  const transform = of('transform') ?? '';
  const extents = EXTENTS.map(of).filter((value) => value !== undefined);
  if (offsets.some((value) => (pixels(value) ?? 0) <= -FAR)) return true;
  if (/^rect\((?:\s*,?\s*[01](?:px)?){4}\s*\)$/.test(clip)) return true;
  if (/^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0)/.test(clipPath)) return true;
  if (/scale[xy]?\(\s*0(?:\.0*)?\s*[,)]/.test(transform)) return true;
  if (/translate(?:x|y|3d)?\([^)]*-\d{4,}(?:px)?/.test(transform)) return true;
  // A frame around a picture or a video has no height either, but padding.
  const isFrame = ['padding', 'padding-top', 'padding-bottom'].some((name) => /[1-9]/.test(of(name) ?? ''));
  const overflow = of('overflow') ?? '';
  if (
    /^(?:hidden|clip)/.test(overflow) &&
    !isFrame &&
    extents.some((value) => Math.abs(pixels(value) ?? FAR) <= 1)
  ) {
    return true;
  }
  return offsets.length + extents.length > 0 || clip !== '' || clipPath !== '' || transform !== ''
    ? false
    : undefined;
}

/** A length in CSS pixels, roughly; undefined if it is invalid. */
function pixels(value: string): number | undefined {
  const unit = LENGTH.exec(value)?.[1];
  const number = Number.parseFloat(value);
  if (unit === undefined) return number === 0 ? 0 : undefined;
  return number * (PIXELS[unit] ?? 16);
}

const PIXELS: Readonly<Record<string, number>> = { px: 1, pt: 4 / 3, q: 1, '%': 0.16 };
