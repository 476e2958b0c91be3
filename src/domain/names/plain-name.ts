import { quote } from '../refusal/refusal.js';

const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** `PLAIN_NAME` in words. */
const PLAIN_NAME_RULE = "1 to 100 letters, digits, '.', '_' or '-', with a letter or digit at both ends";

/** Returns whether a text can be the name of a project or of a preview (contract section 2). */
export function isPlainName(text: string): boolean {
  return PLAIN_NAME.test(text);
}

/**
 * Returns why a text cannot be the name of a project, for people, and a name to use instead where there is one; undefined
 * when it can.
 */
export function whyNoProject(project: string): string | undefined {
  return isPlainName(project) ? undefined : whyNotPlain('a project', project, isPlainName);
}

/**
 * Returns why a text is no plain name: `a project may not contain ' '; use my-site`.
 * @param isValid whether another text may be suggested
 */
export function whyNotPlain(what: string, text: string, isValid: (name: string) => boolean): string {
  const use = nameLike(text, isValid);
  const [stray] = /[^A-Za-z0-9._-]/u.exec(text) ?? [];
  return stray === undefined
    ? `${what} has ${PLAIN_NAME_RULE}${use}`
    : `${what} may not contain ${quote(stray)}${use}`;
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
