import { isFunctionWord } from '../../domain/catalogue/ordinary-words.js';

/** Quantities that `how` asks for. Pages seldom answer in the same word: `how many columns`, but `at most 2,000 columns`. */
const HOW_MUCH = /\bhow (?:many|much|long|often)\b/gi;
const IDENTIFIER = /[_.:()#/]|--|\p{Ll}\p{Lu}|^[@$]\p{L}/u;
/** Written as some identifiers are, and as some words: `max-unacked-clients`, `read-only`. */
const HYPHENATED = /[\p{L}\p{N}]-[\p{L}\p{N}]/u;
const SIGNED = /^(?:--?\p{L}|[@$][\p{L}_])/u;
const MAX_IDENTIFIERS = 3;
/** Wordings of a question that are taken: a question, and three others. */
export const MAX_WORDINGS = 4;

/** Words of a question that tell what is looked for. */
interface TellingWords {
  /** The words, with a space at the end: all are finished. */
  readonly text: string;
  /** Words that are written like identifiers, `MAX_IDENTIFIERS` at most. */
  readonly identifiers: readonly string[];
  /** Number of wordings: as many queries may be as long as one. */
  readonly wordings: number;
}

/**
 * Returns the words of a question that tell what is looked for; all of them where none does.
 * @param question each line is a wording of it, `MAX_WORDINGS` at most
 */
export function tellingWords(question: string): TellingWords {
  const lines = question.split('\n').slice(0, MAX_WORDINGS);
  const words = lines
    .join(' ')
    .replace(HOW_MUCH, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^["'`([{]+|["'`\])}?!,;.:]+$/g, ''))
    .filter((word) => word !== '');
  const telling = words.filter((word) => !isFunctionWord(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : words;
  const sure = chosen.filter((word) => IDENTIFIER.test(word));
  const others = chosen.filter((word) => !IDENTIFIER.test(word) && (HYPHENATED.test(word) || isSigned(word)));
  return {
    text: `${chosen.join(' ')} `,
    identifiers: [...sure, ...others].slice(0, MAX_IDENTIFIERS),
    wordings: lines.length,
  };
}

/** Whether a word begins with a sign, as options and some names do: `-w`, `--width`, `@apply`, `$PATH`. */
export function isSigned(word: string): boolean {
  return SIGNED.test(word);
}
