/** Words of questions that say nothing of what is looked for. */
const EMPTY = new Set(
  `a about after all an and any are as at be been before by can could did do does each for from had has have how i if in into is
  it its may me must my of on or should so such than that the their them then there these they this those through to use used
  using versus vs was we were what when where which while who why will with without would you your`.split(
    /\s+/,
  ),
);
/** What `how` asks for is seldom said in the same word: `how many columns`, but `at most 2,000 columns`. */
const HOW_MUCH = /\bhow (?:many|much|long|often)\b/gi;
const IDENTIFIER = /[_.:()#/]|--|\p{Ll}\p{Lu}/u;
/** Written as some identifiers are, and as some words: `max-unacked-clients`, `read-only`. */
const HYPHENATED = /[\p{L}\p{N}]-[\p{L}\p{N}]/u;
const OPTION = /^--?\p{L}/u;
const MAX_IDENTIFIERS = 3;

/** What a question asks about. */
interface TellingWords {
  /** The words, with a space at the end: all are finished. */
  readonly text: string;
  /** Those of them that are written as identifiers are. */
  readonly identifiers: readonly string[];
}

/** Returns the words of a question that tell what is looked for; all of them where none does. */
export function tellingWords(question: string): TellingWords {
  const words = question
    .replace(HOW_MUCH, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^["'([{]+|["'\])}?!,;.:]+$/g, ''))
    .filter((word) => word !== '');
  const telling = words.filter((word) => !EMPTY.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : words;
  const sure = chosen.filter((word) => IDENTIFIER.test(word));
  const others = chosen.filter((word) => !IDENTIFIER.test(word) && (HYPHENATED.test(word) || isOption(word)));
  return { text: `${chosen.join(' ')} `, identifiers: [...sure, ...others].slice(0, MAX_IDENTIFIERS) };
}

/** Whether a word is written as options of commands are: `-w`, `--width`. */
export function isOption(word: string): boolean {
  return OPTION.test(word);
}
