type Components = Readonly<Record<'schemas' | 'headers', Readonly<Record<string, object>>>>;

/** Returns the components that a description's paths refer to, directly or through one another. */
export function usedComponents<Given extends Components>(paths: object, given: Given): Given {
  const used = new Set<string>();
  const follow = (from: object) => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(
      /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g,
    )) {
      const place = `${kind}/${name}`;
      if (used.has(place)) continue;
      used.add(place);
      follow(given[kind as keyof Components][name] ?? {});
    }
  };
  follow(paths);
  const kept = (Object.keys(given) as (keyof Components)[]).map((kind) => [
    kind,
    Object.fromEntries(Object.entries(given[kind]).filter(([name]) => used.has(`${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept) as Given;
}
