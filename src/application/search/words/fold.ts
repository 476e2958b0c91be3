/** Characters outside of ASCII that may have a case, an accent or a full width, and signs. Chinese, Japanese and Korean have none. */
const FOLDABLE = /[\u0080-\u2dff\ua640-\ua7ff\uff00-\uffef]/g;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Stands for each sign outside of ASCII: so most folded texts are ASCII, and take half the memory. Nobody searches for signs. */
const SIGN = '\x1a';

const folded = new Map<string, string>([['ς', 'σ']]);

/**
 * Folds case, accents and widths for full-text search: `Élan` becomes `elan`. Each character stays one character, so a
 * position in the folded text is the same position in the text. Composed text (NFC) is expected.
 */
export function foldText(text: string): string {
  return text.replace(FOLDABLE, foldCharacter).toLowerCase();
}

function foldCharacter(character: string): string {
  let result = folded.get(character);
  if (result === undefined) {
    const base = character.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
    if (!LETTER.test(character)) result = SIGN;
    // Ligatures stay as they are, and so does what is nothing but a mark.
    else result = base.length === 1 ? base : character.toLowerCase().slice(0, 1);
    folded.set(character, result);
  }
  return result;
}
