/** Quotes a word for a POSIX shell, if it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w./][\w@%+=:,./~-]*$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
