const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** `PLAIN_NAME` in words. */
export const PLAIN_NAME_RULE =
  "1 to 100 letters, digits, '.', '_' or '-', with a letter or digit at both ends";

/** Returns whether a text can be the name of a project or of a preview (contract section 2). */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

/** Returns the first character of a text that no plain name has. */
export function strayIn(text: string): string | undefined {
  return /[^A-Za-z0-9._-]/u.exec(text)?.[0];
}

/**
 * Suggests a name with `-` for all other characters, or with `_`, which never separates project and version, or without
 * the `+` of versions.
 */
export function nameLike(name: string, isValid: (name: string) => boolean): string {
  const dashed = name.replaceAll(/[^A-Za-z0-9._+-]+/g, '-').replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  const found = [dashed, dashed.replaceAll('-', '_'), dashed.replaceAll('+', '-')].find(isValid);
  return found === undefined ? '' : `; use ${found}`;
}
