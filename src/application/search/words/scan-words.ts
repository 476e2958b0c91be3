/** Range of a word in a text. */
interface ScannedWord {
  readonly start: number;
  readonly end: number;
  /** A run of characters written without spaces. */
  readonly isCjk: boolean;
}

const BETWEEN = 1;
const WORD = 2;
const CJK = 3;
const HYPHEN = 0x2d;
const PLUS = 0x2b;
const HASH = 0x23;
const AT = 0x40;
const DOLLAR = 0x24;

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const LETTER = /[\p{L}\p{N}\p{M}_]/u;
const BEFORE_SHORT_OPTION = /[\s([{<|,"'`‘“«]/;
/** C++'s operators after the word `operator`. */
const OPERATOR_SIGN = /[<>=!+\-*/%^&|~()[\]]{1,3}/y;

/** Class of each UTF-16 code unit, 0 until it is asked for. */
const classes = new Uint8Array(0x1_0000);

/**
 * The words of a text, in its order. Identifiers are one word: `json_agg`, `ArrayList`, `--single-transaction`, `-Wall`, `@apply`,
 * `$PATH`, `operator<<`, `c++`, `c#`. Dots, colons and hyphens divide words. Writing without spaces is one word for each run.
 */
export function* scanWords(text: string): Generator<ScannedWord, void> {
  for (let word = nextWord(text, 0); word !== undefined; word = nextWord(text, word.end)) yield word;
}

/** The first word from a place on, which is in no word. */
function nextWord(text: string, from: number): ScannedWord | undefined {
  const { length } = text;
  let at = from;
  while (at < length && classAt(text, at) === BETWEEN) at += 1;
  if (at >= length) return undefined;
  const kind = classAt(text, at);
  let end = at + 1;
  while (end < length && classAt(text, end) === kind) end += 1;
  if (kind === CJK) return { start: at, end, isCjk: true };
  const signs = signsBefore(text, at);
  if (signs === 0) return { start: at, end: withSigns(text, at, end), isCjk: false };
  // `$a-b` is a difference, or two names with a hyphen between them.
  const hasHyphens = text.charCodeAt(at - 1) !== DOLLAR;
  return { start: at - signs, end: hasHyphens ? endOfHyphenated(text, end) : end, isCjk: false };
}

/** Whether a word is a run of writing without spaces. */
export function isUnspaced(word: string): boolean {
  return classAt(word, 0) === CJK;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 0xd800 && code < 0xe000) return classOfSurrogate(text, at, code);
  const known = classes[code] as number;
  if (known !== 0) return known;
  const found = classOf(String.fromCharCode(code));
  classes[code] = found;
  return found;
}

function classOfSurrogate(text: string, at: number, code: number): number {
  const first = code >= 0xdc00 ? at - 1 : at;
  return first < 0 ? BETWEEN : classOf(text.slice(first, first + 2));
}

function classOf(character: string): number {
  if (!LETTER.test(character)) return BETWEEN;
  return UNSPACED.test(character) && !/\p{N}/u.test(character) ? CJK : WORD;
}

/** Number of the signs that a word begins with: two of `--option`, one of `-w`, `@apply` and `$PATH`. */
function signsBefore(text: string, at: number): number {
  if (at === 0) return 0;
  const sign = text.charCodeAt(at - 1);
  if (sign === HYPHEN) return hyphensBefore(text, at);
  const isSigned = (sign === AT || sign === DOLLAR) && /[\p{L}_]/u.test(characterAt(text, at));
  return isSigned && (at === 1 || classAt(text, at - 2) === BETWEEN) ? 1 : 0;
}

/** Two with no other sign than a space or a bracket before them, one only in front of a letter: not in `3-w`, and not in `-1`. */
function hyphensBefore(text: string, at: number): number {
  if (at >= 2 && text.charCodeAt(at - 2) === HYPHEN) {
    return at === 2 || (text.charCodeAt(at - 3) !== HYPHEN && classAt(text, at - 3) === BETWEEN) ? 2 : 0;
  }
  const isShort = at === 1 || BEFORE_SHORT_OPTION.test(text.charAt(at - 2));
  return isShort && /\p{L}/u.test(characterAt(text, at)) ? 1 : 0;
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function endOfHyphenated(text: string, wordEnd: number): number {
  let end = wordEnd;
  while (text.charCodeAt(end) === HYPHEN && end + 1 < text.length && classAt(text, end + 1) === WORD) {
    end += 2;
    while (end < text.length && classAt(text, end) === WORD) end += 1;
  }
  return end;
}

function isWordAt(text: string, at: number): boolean {
  return at < text.length && classAt(text, at) !== BETWEEN;
}

/** The end of `c++`, `c#` or `operator<<`. */
function withSigns(text: string, start: number, end: number): number {
  const next = text.charCodeAt(end);
  if (next === PLUS && text.charCodeAt(end + 1) === PLUS && end - start <= 3 && !isWordAt(text, end + 2)) {
    return end + 2;
  }
  if (next === HASH && end - start === 1 && !isWordAt(text, end + 1)) return end + 1;
  if (end - start === 8 && text.startsWith('operator', start)) {
    OPERATOR_SIGN.lastIndex = end;
    return OPERATOR_SIGN.test(text) ? OPERATOR_SIGN.lastIndex : end;
  }
  return end;
}
