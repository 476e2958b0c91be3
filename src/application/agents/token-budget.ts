/** Characters of a token on average, in documentation. */
const CHARACTERS_PER_TOKEN = 4;

export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}
