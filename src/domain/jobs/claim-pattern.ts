/** Whether a text fits a pattern, in which each `*` stands for any text, also none. Compared case-sensitively. */
export function fitsClaimPattern(pattern: string, text: string): boolean {
  const [beginning = '', ...pieces] = pattern.split('*');
  const end = pieces.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(beginning)) return false;
  let position = beginning.length;
  for (const piece of pieces) {
    const found = text.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return text.length - end.length >= position && text.endsWith(end);
}
