/** Characters of a token on average, in documentation. */
const CHARACTERS_PER_TOKEN = 4;

export function charactersOf(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** The beginning of a block in whole lines, with its fence closed. */
export function cutBlock(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = text.lastIndexOf('\n', characters);
  const kept = text.slice(0, end > characters / 2 ? end : characters);
  const fence = /^`{3,}/.exec(text)?.[0];
  return `${kept}\n${fence === undefined ? '' : `${fence}\n`}[cut]`;
}
