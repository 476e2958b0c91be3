/** What an issuer says of a job: the payload of its token (RFC 7519, section 4). */
export type Claims = Readonly<Record<string, unknown>>;

/** A claim as text: a string, or a number or truth value as JSON writes it; undefined for anything else. */
export function textOfClaim(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
