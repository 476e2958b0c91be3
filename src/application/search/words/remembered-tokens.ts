/** Longest word that is remembered, in UTF-16 code units. Longer ones hardly come again, and may have thousands of tokens. */
const MAX_WORD = 64;
/** Max. strings: words, and their tokens. Each has as many characters as a word may have, at most. */
const MAX_STRINGS = 200_000;

/** The tokens of words that were seen lately: the same few thousand words make up most of a text. */
export class RememberedTokens {
  private tokens = new Map<string, readonly string[]>();
  private strings = 0;

  constructor(private readonly compute: (raw: string) => readonly string[]) {}

  /** Number of strings that are kept. */
  get size(): number {
    return this.strings;
  }

  of(raw: string): readonly string[] {
    if (raw.length > MAX_WORD) return this.compute(raw);
    return this.tokens.get(raw) ?? this.remember(raw);
  }

  private remember(raw: string): readonly string[] {
    // A part of a text keeps all of it in memory; a copy does not.
    const copy = Buffer.from(raw).toString();
    const tokens = this.compute(copy);
    if (this.strings >= MAX_STRINGS) {
      this.tokens = new Map();
      this.strings = 0;
    }
    this.tokens.set(copy, tokens);
    this.strings += 1 + tokens.length;
    return tokens;
  }
}
