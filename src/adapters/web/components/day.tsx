/** A day as `YYYY-MM-DD`, with the exact time in the `datetime` attribute. */
export function Day({ date }: { readonly date: Date }) {
  const exact = date.toISOString();
  return <time datetime={exact}>{exact.slice(0, 10)}</time>;
}
