/** A day, in the one notation that is read the same way everywhere. The exact time is in the attribute. */
export function Day({ date }: { readonly date: Date }) {
  const exact = date.toISOString();
  return <time datetime={exact}>{exact.slice(0, 10)}</time>;
}
