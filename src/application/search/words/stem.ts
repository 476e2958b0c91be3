const VOWEL = /[aeiouy]/;
const LETTERS = /^[a-z]{4,}$/;

/**
 * Removes the common endings of English words, so that `functions`, `caching` and `cached` are found by `function` and
 * `cache`. Light on purpose: words of other languages, names and identifiers stay as they are.
 */
export function stem(word: string): string {
  if (!LETTERS.test(word)) return word;
  return withoutE(withoutSuffix(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:sses|xes|ches|shes|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutSuffix(word: string): string {
  for (const suffix of ['ing', 'ed']) {
    const rest = word.slice(0, -suffix.length);
    if (word.endsWith(suffix) && rest.length >= 3 && VOWEL.test(rest)) return undoubled(rest);
  }
  return word;
}

/** `mapp` -> `map`, but `fill` stays. */
function undoubled(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

function withoutE(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word;
}
