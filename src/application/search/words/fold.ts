/** Characters outside of ASCII that may have a case, an accent or a full width. Chinese, Japanese and Korean have none. */
const FOLDABLE = /[\u0080-\u1fff\u2c00-\u2dff\ua640-\ua7ff\uff00-\uffef]/g;

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
    // Ligatures stay as they are, and so does what is nothing but a mark.
    result = base.length === 1 ? base : character.toLowerCase().slice(0, 1);
    folded.set(character, result);
  }
  return result;
}
