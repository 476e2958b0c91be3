import type { Context } from 'koa';

/**
 * Max. characters of a header by which a response is chosen: `Accept`, `Accept-Encoding`, `Accept-Language`. A longer one
 * counts as none, since thousands of names would cost more than the response.
 */
export const MAX_NEGOTIATED = 1_000;

/**
 * Returns which of some media types a client prefers (RFC 9110 section 12.5.1), the first one where it has no preference;
 * undefined where it accepts none of them.
 */
export function preferredType<Type extends string>(
  ctx: Context,
  ...types: readonly [Type, ...Type[]]
): Type | undefined {
  const [first] = types;
  if (ctx.get('Accept').length > MAX_NEGOTIATED) return first;
  const preferred = ctx.accepts(...types);
  return types.find((type) => type === preferred);
}

/** Returns the languages that a client names in `Accept-Language`, best first. `*` is none. */
export function namedLanguages(ctx: Context): readonly string[] {
  if (ctx.get('Accept-Language').length > MAX_NEGOTIATED) return [];
  return ctx.acceptsLanguages().filter((language) => language !== '*');
}
