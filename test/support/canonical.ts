/** The part of a `Link` header that names the canonical address; null without one. */
export function canonicalIn(link: string | string[] | null | undefined): string | null {
  return /<[^>]*>; rel="canonical"/.exec(String(link ?? ''))?.[0] ?? null;
}
