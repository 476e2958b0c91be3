/** White space and control characters. */
const SPACES = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/**
 * Characters that nobody sees: they say where a line may break or in which direction it goes, or can carry a message, as
 * tags and selectors of variants do. Joiners and one selector belong to writing and emoji; several in a row do not.
 */
const INVISIBLE =
  /(?![\u115f\u1160]|[\u180b-\u180f]|\u200c|\u200d|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]|[\ufe00-\ufe0f]{2,}|(?:\u200c|\u200d){3,}/gu;

/** A rough test for them, for speed: few texts have anything from these ranges. */
const MAYBE_INVISIBLE =
  /\u034f|[\u00ad\u061c\u17b4-\u17b5\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud82f\ud834\udb40-\udb43\ufeff\uffa0\ufff0-\ufffb]|[\ufe00-\ufe0f]/;

/** Characters to normalize: white space other than one space, and control characters. Most texts have none. */
const UNUSUAL = /[^\S ]| {2}|[\u0000-\u001f\u007f-\u009f]/;

/** The text without characters that nobody sees. */
export function withoutInvisible(text: string): string {
  return MAYBE_INVISIBLE.test(text) ? text.replace(INVISIBLE, '') : text;
}

/** The text with white space as a browser shows it. */
export function withSingleSpaces(text: string): string {
  const visible = withoutInvisible(text);
  return UNUSUAL.test(visible) ? visible.replace(SPACES, ' ') : visible;
}

/** Separator of two lines of code; `\n` separates blocks. A vertical tab is one byte, and in no page's text. */
export const CODE_LINE = '\v';

/** Min. length of a chunk, in UTF-16 code units. */
const CHUNK = 8_192;

/** A text that grows. V8 keeps what is added as a tree of 32 bytes for each part, until somebody looks at the text. */
export class LongText {
  private readonly chunks: string[] = [];
  private last = '';

  get isEmpty(): boolean {
    return this.last === '' && this.chunks.length === 0;
  }

  add(part: string): void {
    this.last += part;
    if (this.last.length < CHUNK) return;
    this.chunks.push(ownString(this.last));
    this.last = '';
  }

  toString(): string {
    return this.chunks.length === 0 ? this.last : [...this.chunks, this.last].join('');
  }
}

/**
 * A copy of a string. V8 makes a substring a view of the whole string, so that one kept anchor would keep the page's
 * HTML in memory. Joined strings are copied, but not one alone, nor one with empty ones.
 */
export function ownString(text: string): string {
  return ['\n', text].join('').slice(1);
}

/** A text that is put together from parts, with white space as a browser shows it. */
export class TextRun {
  private readonly parts = new LongText();
  /** Separator before the next word. */
  private gap = '';

  get isEmpty(): boolean {
    return this.parts.isEmpty;
  }

  /** Adds at most `room` characters, and returns how many. */
  add(part: string, room = Number.POSITIVE_INFINITY): number {
    const plain = withSingleSpaces(part);
    const words = plain.trim();
    if (plain.startsWith(' ')) this.space();
    if (words === '') return 0;
    const fitting = cutOff(this.isEmpty ? words : this.gap + words, room);
    this.parts.add(fitting);
    this.gap = plain.endsWith(' ') ? ' ' : '';
    return fitting.length;
  }

  /** Adds text with its lines, blank ones too, and spaces, as in `pre`. A block of such text begins with `CODE_LINE`. */
  addCode(part: string): number {
    const plain = withoutInvisible(part)
      .replace(/\t/g, '    ')
      .replace(/(?!\n)[\u0000-\u001f\u007f-\u009f]/g, '');
    let added = 0;
    for (const [index, line] of plain.split('\n').entries()) {
      if (index > 0) this.codeBreak();
      if (line === '') continue;
      const isFirst = this.isEmpty || this.gap === '\n';
      const gapBefore = this.isEmpty ? CODE_LINE : `\n${CODE_LINE}`;
      const fresh = (isFirst ? gapBefore : this.gap) + line;
      this.parts.add(fresh);
      this.gap = '';
      added += fresh.length;
    }
    return added;
  }

  /** Adds text with its line breaks, as in `pre`. */
  addLines(part: string): number {
    let added = 0;
    for (const [index, line] of part.split('\n').entries()) {
      if (index > 0) this.codeLine();
      added += this.add(line);
    }
    return added;
  }

  space(): void {
    if (this.gap === '') this.gap = ' ';
  }

  /** Ends a line of code, unless it has ended, or a block ends here. */
  codeLine(): void {
    if (!this.gap.startsWith(CODE_LINE)) this.codeBreak();
  }

  /** Breaks a line of code. A second break makes a blank line, but none at the beginning of a block. */
  codeBreak(): void {
    if (this.gap !== '\n') this.gap = this.gap.startsWith(CODE_LINE) ? this.gap + CODE_LINE : CODE_LINE;
  }

  /** Ends a block. */
  lineBreak(): void {
    this.gap = '\n';
  }

  toString(): string {
    return String(this.parts).trimEnd();
  }
}

/** The start of a text. No pair of surrogates is cut in two. */
export function cutOff(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length);
}
