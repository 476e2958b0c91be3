/** Returns the other words by word, both ways, in lower case: `k8s` has `kubernetes`, and `kubernetes` has `k8s`. */
export function synonymsOf(
  entries: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const synonyms = new Map<string, Set<string>>();
  const add = (word: string, other: string) => {
    if (word !== other) synonyms.set(word, (synonyms.get(word) ?? new Set()).add(other));
  };
  for (const [word, others] of Object.entries(entries)) {
    for (const other of others) {
      add(word.toLowerCase(), other.toLowerCase());
      add(other.toLowerCase(), word.toLowerCase());
    }
  }
  return new Map([...synonyms].map(([word, others]) => [word, [...others]]));
}
